`default_nettype none
// Interrupt controller of the management processor: events set bits of PENDING, ACK clears them, and irq_o is
// (PENDING & ENABLE) != 0. An event in the cycle of its ACK is kept.
//
// Latency: irq_o is high from the cycle after the event. Register bus: as in mgmt_console.
module mgmt_intc (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        req_i,
  input  wire logic        we_i,
  input  wire logic [11:0] addr_i,
  input  wire logic [2:0]  wdata_i,
  output logic      [31:0] rdata_o,
  output logic             hit_o,
  input  wire logic [2:0]  event_i,
  output logic             irq_o
);
  logic [2:0] pending_q, enable_q, ack;

  assign ack = (req_i && we_i && addr_i == stp_pkg::MGMT_INTC_ACK) ? wdata_i : 3'b0;
  assign irq_o = (pending_q & enable_q) != 3'b0;

  always_comb begin
    hit_o = 1'b1;
    unique case (addr_i)
      stp_pkg::MGMT_INTC_PENDING: rdata_o = {29'b0, pending_q};
      stp_pkg::MGMT_INTC_ENABLE:  rdata_o = {29'b0, enable_q};
      stp_pkg::MGMT_INTC_ACK:     rdata_o = '0;
      default: begin
        rdata_o = '0;
        hit_o = 1'b0;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      enable_q <= '0;
    end else begin
      pending_q <= (pending_q & ~ack) | event_i;
      if (req_i && we_i && addr_i == stp_pkg::MGMT_INTC_ENABLE) enable_q <= wdata_i;
    end
  end
endmodule
`default_nettype wire
