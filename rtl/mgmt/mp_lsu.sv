`default_nettype none
// Lanes of loads and stores within a 32-bit word. Combinational; the two halves are independent.
module mp_lsu (
  // Store side: address and size to byte enables and shifted data.
  input  wire logic [1:0]  addr_i,
  input  wire logic [1:0]  size_i,       // 0 byte, 1 half, 2 word
  input  wire logic [31:0] data_i,
  output logic             misaligned_o,
  output logic      [3:0]  be_o,
  output logic      [31:0] wdata_o,      // data_i in its lanes
  output logic      [31:0] value_o,      // what is stored, zero-extended
  // Load side: word to value.
  input  wire logic [1:0]  ld_addr_i,
  input  wire logic [2:0]  ld_funct3_i,
  input  wire logic [31:0] ld_word_i,
  output logic      [31:0] ld_value_o
);

  logic [31:0] ld_shifted;

  always_comb begin
    unique case (size_i)
      2'd0: begin
        misaligned_o = 1'b0;
        be_o = 4'b0001 << addr_i;
        wdata_o = {4{data_i[7:0]}};
        value_o = {24'b0, data_i[7:0]};
      end
      2'd1: begin
        misaligned_o = addr_i[0];
        be_o = addr_i[1] ? 4'b1100 : 4'b0011;
        wdata_o = {2{data_i[15:0]}};
        value_o = {16'b0, data_i[15:0]};
      end
      default: begin
        misaligned_o = addr_i != 2'b00;
        be_o = 4'b1111;
        wdata_o = data_i;
        value_o = data_i;
      end
    endcase
  end

  assign ld_shifted = ld_word_i >> {ld_addr_i, 3'b000};

  always_comb begin
    unique case (ld_funct3_i[1:0])
      2'd0:    ld_value_o = {{24{~ld_funct3_i[2] & ld_shifted[7]}}, ld_shifted[7:0]};
      2'd1:    ld_value_o = {{16{~ld_funct3_i[2] & ld_shifted[15]}}, ld_shifted[15:0]};
      default: ld_value_o = ld_shifted;
    endcase
  end

endmodule
`default_nettype wire
