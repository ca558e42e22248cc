`default_nettype none
// Queue on a memory with a registered read.
//
// Latency: a word is at the output two cycles after it was taken. Capacity DEPTH + 1, one word per cycle.
// Handshake: valid/ready on both sides; in_ready_o and out_valid_o are functions of registers. clear_i empties the queue.
module mni_queue #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 16  // a power of two
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             clear_i,
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [WIDTH-1:0] in_data_i,
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [WIDTH-1:0] out_data_o,
  output logic                  empty_o
);
  localparam int unsigned AW = $clog2(DEPTH);

  logic [AW-1:0] wptr_q, rptr_q;
  logic [AW:0]   count_q;  // words in the memory that have not been read
  logic          valid_q;  // the memory's output is a word
  logic          put, get;

  assign in_ready_o = ~count_q[AW];
  assign put = in_valid_i & in_ready_o;
  assign get = (count_q != '0) & (~valid_q | out_ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
      count_q <= '0;
      valid_q <= 1'b0;
    end else if (clear_i) begin
      wptr_q <= '0;
      rptr_q <= '0;
      count_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (put) wptr_q <= wptr_q + AW'(1);
      if (get) rptr_q <= rptr_q + AW'(1);
      if (put && !get) count_q <= count_q + (AW + 1)'(1);
      else if (get && !put) count_q <= count_q - (AW + 1)'(1);
      if (get) valid_q <= 1'b1;
      else if (out_ready_i) valid_q <= 1'b0;
    end
  end

  sram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH)) ram (
    .clk_i,
    .rreq_i(get),
    .raddr_i(rptr_q),
    .rdata_o(out_data_o),
    .wreq_i(put),
    .waddr_i(wptr_q),
    .wmask_i('1),
    .wdata_i(in_data_i)
  );

  assign out_valid_o = valid_q;
  assign empty_o = (count_q == '0) & ~valid_q;

endmodule
`default_nettype wire
