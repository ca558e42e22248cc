`default_nettype none
// The stack of hardware loops: first and last address and remaining iterations (the running one included) of each.
//
// Latency: push, pop and step act at the end of their cycle; at_end_o and again_o are combinational on pc_i.
// Handshake: none; push only while not full_o, pop and step only while not empty_o.
module seq_loops (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        clear_i,
  input  wire logic        push_i,
  input  wire logic [10:0] first_i,
  input  wire logic [11:0] end_i,
  input  wire logic [63:0] count_i,
  input  wire logic        pop_i,
  input  wire logic        step_i,   // one iteration of the innermost loop is over, and another follows

  input  wire logic [10:0] pc_i,
  output logic             at_end_o,  // pc is the last instruction of the innermost loop
  output logic             again_o,   // and it has further iterations
  output logic      [10:0] first_o,
  output logic             empty_o,
  output logic             full_o
);
  localparam int unsigned PW = $clog2(stp_pkg::LOOP_DEPTH);

  logic [PW:0] depth_q;
  // The innermost loop is in registers, the others wait in the stack.
  logic [10:0] first_q;
  logic [11:0] end_q;
  logic [63:0] left_q;
  logic [86:0] below [stp_pkg::LOOP_DEPTH];
  logic [86:0] under;

  assign empty_o = depth_q == '0;
  assign full_o = depth_q == (PW+1)'(stp_pkg::LOOP_DEPTH);
  assign at_end_o = ~empty_o & (end_q == {1'b0, pc_i});
  assign again_o = left_q != 64'd1;
  assign first_o = first_q;
  assign under = below[PW'(depth_q - (PW+1)'(2))];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) depth_q <= '0;
    else if (clear_i) depth_q <= '0;
    else if (push_i) depth_q <= depth_q + 1'b1;
    else if (pop_i) depth_q <= depth_q - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      if (!empty_o) below[PW'(depth_q - 1'b1)] <= {first_q, end_q, left_q};
      first_q <= first_i;
      end_q <= end_i;
      left_q <= count_i;
    end else if (pop_i) begin
      if (depth_q > (PW+1)'(1)) {first_q, end_q, left_q} <= under;
    end else if (step_i) begin
      left_q <= left_q - 1'b1;
    end
  end
endmodule
`default_nettype wire
