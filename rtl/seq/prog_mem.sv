`default_nettype none
// Program memory of a sequencer: PROG_WORDS instructions, written by rows of PROG_ROW_WORDS.
//
// Latency: rdata_o has the instruction one cycle after re_i, and keeps it until the next read. A write has the memory to itself:
// programs are loaded while the unit does not run. Handshake: none.
module prog_mem (
  input  wire logic         clk_i,
  input  wire logic         we_i,
  input  wire logic [7:0]   row_i,
  input  wire logic [255:0] wdata_i,
  input  wire logic         re_i,
  input  wire logic [9:0]   addr_i,
  output logic      [63:0]  rdata_o
);
  logic [1:0] bank_q;
  logic [63:0] rdata0, rdata1, rdata2, rdata3;

  always_ff @(posedge clk_i) if (re_i) bank_q <= addr_i[1:0];

  sram_1rw #(.WIDTH (64), .DEPTH (256)) u_bank0 (
    .clk_i, .req_i (we_i | (re_i & (addr_i[1:0] == 2'd0))), .we_i, .addr_i (we_i ? row_i : addr_i[9:2]), .wmask_i ('1),
    .wdata_i (wdata_i[0+:64]), .rdata_o (rdata0)
  );
  sram_1rw #(.WIDTH (64), .DEPTH (256)) u_bank1 (
    .clk_i, .req_i (we_i | (re_i & (addr_i[1:0] == 2'd1))), .we_i, .addr_i (we_i ? row_i : addr_i[9:2]), .wmask_i ('1),
    .wdata_i (wdata_i[64+:64]), .rdata_o (rdata1)
  );
  sram_1rw #(.WIDTH (64), .DEPTH (256)) u_bank2 (
    .clk_i, .req_i (we_i | (re_i & (addr_i[1:0] == 2'd2))), .we_i, .addr_i (we_i ? row_i : addr_i[9:2]), .wmask_i ('1),
    .wdata_i (wdata_i[128+:64]), .rdata_o (rdata2)
  );
  sram_1rw #(.WIDTH (64), .DEPTH (256)) u_bank3 (
    .clk_i, .req_i (we_i | (re_i & (addr_i[1:0] == 2'd3))), .we_i, .addr_i (we_i ? row_i : addr_i[9:2]), .wmask_i ('1),
    .wdata_i (wdata_i[192+:64]), .rdata_o (rdata3)
  );

  always_comb begin
    unique case (bank_q)
      2'd0: rdata_o = rdata0;
      2'd1: rdata_o = rdata1;
      2'd2: rdata_o = rdata2;
      default: rdata_o = rdata3;
    endcase
  end
endmodule
`default_nettype wire
