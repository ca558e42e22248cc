`default_nettype none
// Program memory of a sequencer, or its memory of arguments: words of 64 bits, written a stick of sixteen at a time.
//
// A stick fills four rows of four words, from any row on. The rows of a stick are in banks of their own: row r is in bank r mod 4, at
// r / 4. The stick comes turned accordingly: the row for bank b is in bits 256 * b and up.
//
// Latency: rdata_o has the word one cycle after re_i, and keeps it until the next read. A write has the memory to itself: it is
// loaded while the unit does not run. Handshake: none.
module prog_mem #(
  parameter int unsigned WORDS = stp_pkg::PROG_WORDS,
  parameter int unsigned AW = $clog2(WORDS)
) (
  input  wire logic          clk_i,
  input  wire logic          we_i,
  input  wire logic [AW-3:0] row_i,    // the first of four, at most WORDS / 4 - 4
  input  wire logic [1023:0] wdata_i,
  input  wire logic          re_i,
  input  wire logic [AW-1:0] addr_i,
  output logic      [63:0]   rdata_o
);
  logic [3:0] word_q;
  always_ff @(posedge clk_i) if (re_i) word_q <= addr_i[3:0];

  for (genvar g = 0; g < 4; g++) begin : g_bank
    // Of the stick's rows, the one in this bank.
    wire [AW-5:0] at = (AW - 4)'((row_i + (AW - 2)'(3 - g)) >> 2);
    logic [255:0] rdata;
    wire read = re_i & (addr_i[3:2] == 2'(g));
    sram_1rw #(.WIDTH (256), .DEPTH (WORDS / 16)) u_bank (
      .clk_i,
      .req_i   (we_i | read),
      .we_i,
      .addr_i  (we_i ? at : addr_i[AW-1:4]),
      .wmask_i ('1),
      .wdata_i (wdata_i[256*g+:256]),
      .rdata_o (rdata)
    );
  end

  logic [255:0] row;
  always_comb begin
    unique case (word_q[3:2])
      2'd0: row = g_bank[0].rdata;
      2'd1: row = g_bank[1].rdata;
      2'd2: row = g_bank[2].rdata;
      default: row = g_bank[3].rdata;
    endcase
  end
  assign rdata_o = row[{word_q[1:0], 6'b0}+:64];
endmodule
`default_nettype wire
