`default_nettype none
// Console of the management processor: a byte written to TX leaves on console_data_o in the next cycle, with console_valid_o
// high for that cycle. It can always take a byte.
//
// Register bus: req_i is high for one cycle, with we_i, addr_i and wdata_i; rdata_o and hit_o (the offset exists) answer in the
// same cycle.
module mgmt_console (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        req_i,
  input  wire logic        we_i,
  input  wire logic [11:0] addr_i,
  input  wire logic [7:0]  wdata_i,
  output logic      [31:0] rdata_o,
  output logic             hit_o,
  output logic             console_valid_o,
  output logic      [7:0]  console_data_o
);
  wire put = req_i & we_i & (addr_i == stp_pkg::MGMT_CONSOLE_TX);

  assign hit_o = (addr_i == stp_pkg::MGMT_CONSOLE_TX) | (addr_i == stp_pkg::MGMT_CONSOLE_STATUS);
  assign rdata_o = {31'b0, addr_i == stp_pkg::MGMT_CONSOLE_STATUS};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) console_valid_o <= 1'b0;
    else console_valid_o <= put;
  end

  always_ff @(posedge clk_i) if (put) console_data_o <= wdata_i;
endmodule
`default_nettype wire
