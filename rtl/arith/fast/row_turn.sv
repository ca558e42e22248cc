`default_nettype none
// When rows enter and leave a row module of the fast chip, which computes a row as it enters: the result waits in a ring of places.
//
// Latency: valid_o is valid_i LATENCY cycles later, at least two. In the cycle before, leave_o: the row at place out_o goes to the
// module's output at the end of that cycle. A row that enters goes to place in_o. Handshake: one row may enter every cycle, there is
// no back-pressure.
module row_turn #(
    parameter int unsigned LATENCY = 2,
    parameter int unsigned PW = $clog2(LATENCY)
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           valid_i,
    output logic          valid_o,
    output logic          leave_o,
    output logic [PW-1:0] in_o,
    output logic [PW-1:0] out_o
);
  logic [LATENCY-1:0] valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      in_o <= '0;
      out_o <= '0;
    end else if (valid_i | (|valid_q)) begin
      valid_q <= {valid_q[LATENCY-2:0], valid_i};
      if (valid_i) in_o <= in_o + 1'b1;
      if (leave_o) out_o <= out_o + 1'b1;
    end
  end
  assign leave_o = valid_q[LATENCY-2];
  assign valid_o = valid_q[LATENCY-1];
endmodule
`default_nettype wire
