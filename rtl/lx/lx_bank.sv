`default_nettype none
// One bank of LX: takes one of its requests per cycle, round robin, readers (bits 3..0) and writers (bits 6..4) alike.
//
// Latency: the grant is combinational; the word of a granted read is on rdata_o in the next cycle, and stays until the next read.
module lx_bank (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [6:0]    req_i,
  output logic      [6:0]    gnt_o,
  input  wire logic [7*10-1:0] row_i,
  input  wire logic [1023:0] wr_data0_i,
  input  wire logic [1023:0] wr_data1_i,
  input  wire logic [1023:0] wr_data2_i,
  input  wire logic [1023:0] wr_mask0_i,
  input  wire logic [1023:0] wr_mask1_i,
  input  wire logic [1023:0] wr_mask2_i,
  output logic      [1023:0] rdata_o
);
  wire any = req_i != '0;

  rr_arbiter #(
    .N (7)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i,
    .take_i (any),
    .gnt_o
  );

  logic [9:0] row;
  logic [1023:0] wdata, wmask;

  always_comb begin
    row = '0;
    if (any) for (int i = 0; i < 7; i++) if (gnt_o[i]) row = row_i[10*i+:10];
  end

  // Zero while the bank is not written: simulation copies a stick only for a write.
  wire write = |gnt_o[6:4];
  always_comb begin
    wdata = '0;
    wmask = '0;
    if (write) begin
      wdata = gnt_o[4] ? wr_data0_i : gnt_o[5] ? wr_data1_i : wr_data2_i;
      wmask = gnt_o[4] ? wr_mask0_i : gnt_o[5] ? wr_mask1_i : wr_mask2_i;
    end
  end

  sram_1rw #(
    .WIDTH (1024),
    .DEPTH (stp_pkg::LX_STICKS / stp_pkg::LX_BANKS)
  ) u_mem (
    .clk_i,
    .req_i   (any),
    .we_i    (write),
    .addr_i  (row),
    .wmask_i (wmask),
    .wdata_i (wdata),
    .rdata_o
  );
endmodule
`default_nettype wire
