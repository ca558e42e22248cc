`default_nettype none
// Program memory of a sequencer, or its memory of arguments: words of 64 bits, written a stick of sixteen at a time.
//
// A stick fills four rows of four words, from any row on. The words of a row, and the rows of a stick, are in banks of their own:
// row r is in the banks of group r mod 4, at r / 4.
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
  logic [3:0] bank_q;
  logic [1023:0] rdata;

  always_ff @(posedge clk_i) if (re_i) bank_q <= addr_i[3:0];

  for (genvar g = 0; g < 4; g++) begin : g_group
    wire [1:0] k = 2'(g) - row_i[1:0];  // the row of the stick that is in this group
    wire [2:0] sum = {1'b0, row_i[1:0]} + {1'b0, k};
    wire [AW-5:0] at = row_i[AW-3:2] + (AW - 4)'(sum[2]);  // where it is
    wire unused_sum = &{1'b0, sum[1:0]};
    for (genvar w = 0; w < 4; w++) begin : g_word
      wire read = re_i & (addr_i[3:0] == 4'(4 * g + w));
      sram_1rw #(.WIDTH (64), .DEPTH (WORDS / 16)) u_bank (
        .clk_i,
        .req_i   (we_i | read),
        .we_i,
        .addr_i  (we_i ? at : addr_i[AW-1:4]),
        .wmask_i ('1),
        .wdata_i (wdata_i[{k, 2'(w), 6'b0}+:64]),
        .rdata_o (rdata[64*(4*g+w)+:64])
      );
    end
  end

  assign rdata_o = rdata[{bank_q, 6'b0}+:64];
endmodule
`default_nettype wire
