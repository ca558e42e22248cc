`default_nettype none
// The descriptor of LX-LU or LX-SU, as cfg writes it: counts and strides are checked, the pattern keeps its low bits, limits
// saturate at 0 and 2^24 - 1, columns at 0 and 64.
//
// Latency: a write shows in the next cycle; bad_o is combinational and says that value_i is no count of 24 bits, or no stride of 22
// with sign (the write is then not done).
// clear_i sets the reset values. Handshake: none.
module lx_desc (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        clear_i,
  input  wire logic        write_i,
  input  wire logic [3:0]  field_i,
  input  wire logic [63:0] value_i,
  output logic             bad_o,
  output logic      [95:0] n_o,
  output logic      [87:0] s_o,
  output logic      [23:0] lim0_o,
  output logic      [23:0] lim1_o,
  output logic      [31:0] pad_o,
  output logic      [6:0]  cols_o
);
  logic [95:0] n_q;
  logic [87:0] s_q;
  logic [23:0] lim0_q, lim1_q;
  logic [31:0] pad_q;
  logic [6:0] cols_q;

  wire is_count = field_i <= stp_pkg::CFG_LX_N3;
  wire is_stride = ~is_count & (field_i <= stp_pkg::CFG_LX_S3);
  assign bad_o = (is_count & (value_i[63:24] != '0)) | (is_stride & (value_i[63:21] != {43{value_i[21]}}));
  wire [23:0] limit = value_i[63] ? 24'd0 : (value_i[62:24] != '0) ? 24'hffffff : value_i[23:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n_q <= {4{24'd1}};
      s_q <= '0;
      lim0_q <= 24'hffffff;
      lim1_q <= 24'hffffff;
      pad_q <= '0;
      cols_q <= 7'd64;
    end else if (clear_i) begin
      n_q <= {4{24'd1}};
      s_q <= '0;
      lim0_q <= 24'hffffff;
      lim1_q <= 24'hffffff;
      pad_q <= '0;
      cols_q <= 7'd64;
    end else if (write_i & ~bad_o) begin
      case (field_i)
        stp_pkg::CFG_LX_N0: n_q[0+:24] <= value_i[23:0];
        stp_pkg::CFG_LX_N1: n_q[24+:24] <= value_i[23:0];
        stp_pkg::CFG_LX_N2: n_q[48+:24] <= value_i[23:0];
        stp_pkg::CFG_LX_N3: n_q[72+:24] <= value_i[23:0];
        stp_pkg::CFG_LX_S0: s_q[0+:22] <= value_i[21:0];
        stp_pkg::CFG_LX_S1: s_q[22+:22] <= value_i[21:0];
        stp_pkg::CFG_LX_S2: s_q[44+:22] <= value_i[21:0];
        stp_pkg::CFG_LX_S3: s_q[66+:22] <= value_i[21:0];
        stp_pkg::CFG_LX_LIM0: lim0_q <= limit;
        stp_pkg::CFG_LX_LIM1: lim1_q <= limit;
        stp_pkg::CFG_LX_PAD: pad_q <= value_i[31:0];
        stp_pkg::CFG_LX_COLS: cols_q <= (limit[23:6] != '0) ? 7'd64 : {1'b0, limit[5:0]};
        default: ;
      endcase
    end
  end

  assign n_o = n_q;
  assign s_o = s_q;
  assign lim0_o = lim0_q;
  assign lim1_o = lim1_q;
  assign pad_o = pad_q;
  assign cols_o = cols_q;
endmodule
`default_nettype wire
