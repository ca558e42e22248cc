`default_nettype none
// Address generator of LX-LU and LX-SU: walks i3, i2, i1, i0 (i0 innermost) over base + i0*s0 + i1*s1 + i2*s2 + i3*s3.
//
// It takes its own copy of the descriptor at load_i, so that descriptor and walk may overlap. From the next cycle it offers the
// first position, and the next one after each step_i. Sums wrap at 64 bits. No count may be zero.
// valid_bytes_o: bytes of a stick at i0 inside the limits, 0 .. 128.
//
// Latency: one cycle from load_i or step_i. Handshake: load_i while not active_o or with the step_i of the last position.
module agen4 (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        clear_i,

  input  wire logic        load_i,
  input  wire logic [63:0] base_i,
  input  wire logic [95:0] n_i,     // n3, n2, n1, n0 of 24 bits
  input  wire logic [87:0] s_i,     // s3, s2, s1, s0 of 22 bits
  input  wire logic [23:0] lim0_i,
  input  wire logic [23:0] lim1_i,
  input  wire logic        step_i,

  output logic             active_o,
  output logic             last_o,
  output logic      [63:0] addr_o,
  output logic      [7:0]  valid_bytes_o
);
  logic active_q;
  logic [95:0] n_q, i_q, i_d;
  logic [87:0] s_q;
  // Start of the current run of each dimension: a0 is the address, a1 its value at i0 = 0, and so on.
  logic [63:0] a0_q, a1_q, a2_q, a3_q, a0_d, a1_d, a2_d, a3_d;
  logic [23:0] lim0_q, lim1_q;
  logic [23:0] left_q, left_d;  // bytes along dimension 0 from i0 on: lim0 - 128 * i0, not below 0
  logic [3:0] at_end;

  always_comb begin
    for (int k = 0; k < 4; k++) at_end[k] = i_q[24*k+:24] + 24'd1 == n_q[24*k+:24];
  end

  always_comb begin
    i_d = i_q;
    a0_d = a0_q;
    a1_d = a1_q;
    a2_d = a2_q;
    a3_d = a3_q;
    left_d = lim0_q;
    if (step_i) begin
      if (!at_end[0]) begin
        i_d[0+:24] = i_q[0+:24] + 24'd1;
        a0_d = a0_q + {{42{s_q[21]}}, s_q[0+:22]};
        left_d = (left_q < 24'd128) ? 24'd0 : left_q - 24'd128;
      end else begin
        i_d[0+:24] = '0;
        if (!at_end[1]) begin
          i_d[24+:24] = i_q[24+:24] + 24'd1;
          a1_d = a1_q + {{42{s_q[43]}}, s_q[22+:22]};
        end else begin
          i_d[24+:24] = '0;
          if (!at_end[2]) begin
            i_d[48+:24] = i_q[48+:24] + 24'd1;
            a2_d = a2_q + {{42{s_q[65]}}, s_q[44+:22]};
          end else begin
            i_d[48+:24] = '0;
            i_d[72+:24] = i_q[72+:24] + 24'd1;
            a3_d = a3_q + {{42{s_q[87]}}, s_q[66+:22]};
            a2_d = a3_d;
          end
          a1_d = a2_d;
        end
        a0_d = a1_d;
      end
    end
  end

  assign active_o = active_q;
  assign last_o = &at_end;
  assign addr_o = a0_q;
  assign valid_bytes_o = (i_q[24+:24] >= lim1_q) ? 8'd0 : (left_q >= 24'd128) ? 8'd128 : left_q[7:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (clear_i) active_q <= 1'b0;
    else if (load_i) active_q <= 1'b1;
    else if (step_i & last_o) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      n_q <= n_i;
      s_q <= s_i;
      lim0_q <= lim0_i;
      lim1_q <= lim1_i;
      i_q <= '0;
      a0_q <= base_i;
      a1_q <= base_i;
      a2_q <= base_i;
      a3_q <= base_i;
      left_q <= lim0_i;
    end else if (step_i) begin
      i_q <= i_d;
      a0_q <= a0_d;
      a1_q <= a1_d;
      a2_q <= a2_d;
      a3_q <= a3_d;
      left_q <= left_d;
    end
  end
endmodule
`default_nettype wire
