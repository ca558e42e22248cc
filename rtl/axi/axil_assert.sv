`default_nettype none
// Checks of an AXI4-Lite port, for simulation: connect it to both sides' signals. A violation ends the simulation with a
// message.
//
//   * a valid, once given, stays with its payload until ready; no valid in reset; no unknown valid, ready or payload
//   * addresses are multiples of the data width
//   * read data only for a read address taken before, one each; a write response only for a write address and data
//     taken before, one each
//   * no more than MAX_PENDING accesses of a kind under way
// It has no outputs and no influence. Everything is under `ifndef SYNTHESIS.
module axil_assert #(
  parameter int unsigned ADDR_BITS = 18,
  parameter int unsigned DATA_BITS = 32,
  parameter int unsigned MAX_PENDING = 4
) (
  input wire logic                   clk_i,
  input wire logic                   rst_ni,
  input wire logic                   arvalid_i,
  input wire logic                   arready_i,
  input wire logic [ADDR_BITS-1:0]   araddr_i,
  input wire logic                   rvalid_i,
  input wire logic                   rready_i,
  input wire logic [DATA_BITS-1:0]   rdata_i,
  input wire logic [1:0]             rresp_i,
  input wire logic                   awvalid_i,
  input wire logic                   awready_i,
  input wire logic [ADDR_BITS-1:0]   awaddr_i,
  input wire logic                   wvalid_i,
  input wire logic                   wready_i,
  input wire logic [DATA_BITS-1:0]   wdata_i,
  input wire logic [DATA_BITS/8-1:0] wstrb_i,
  input wire logic                   bvalid_i,
  input wire logic                   bready_i,
  input wire logic [1:0]             bresp_i
);

`ifndef SYNTHESIS
  logic in_reset, was_reset;  // the first clock of a reset may be what brings it about
  assign in_reset = ~rst_ni;
  localparam logic [ADDR_BITS-1:0] ODD = ADDR_BITS'(DATA_BITS / 8 - 1);

  int unsigned reads, addresses, datas;  // taken and not answered
  logic ar_held, r_held, aw_held, w_held, b_held;
  logic [ADDR_BITS-1:0]             ar_was, aw_was;
  logic [DATA_BITS+1:0]             r_was;
  logic [DATA_BITS+DATA_BITS/8-1:0] w_was;
  logic [1:0]                       b_was;

  initial begin
    was_reset = 1'b0;
    reads = 0;
    addresses = 0;
    datas = 0;
    ar_held = 1'b0;
    r_held = 1'b0;
    aw_held = 1'b0;
    w_held = 1'b0;
    b_held = 1'b0;
  end

  always @(posedge clk_i) begin
    if (in_reset) begin
      if (was_reset && (rvalid_i || bvalid_i)) $error("AXI4-Lite: valid during reset");
      reads = 0;
      addresses = 0;
      datas = 0;
      ar_held = 1'b0;
      r_held = 1'b0;
      aw_held = 1'b0;
      w_held = 1'b0;
      b_held = 1'b0;
    end else begin
      if ($isunknown({arvalid_i, awvalid_i, wvalid_i, rvalid_i, bvalid_i, arready_i, awready_i, wready_i, rready_i,
                      bready_i}))
        $error("AXI4-Lite: unknown handshake");
      if (arvalid_i && $isunknown(araddr_i)) $error("AXI4-Lite: unknown read address");
      if (awvalid_i && $isunknown(awaddr_i)) $error("AXI4-Lite: unknown write address");
      if (wvalid_i && $isunknown({wdata_i, wstrb_i})) $error("AXI4-Lite: unknown write data");
      if (rvalid_i && $isunknown({rdata_i, rresp_i})) $error("AXI4-Lite: unknown read data");
      if (bvalid_i && $isunknown(bresp_i)) $error("AXI4-Lite: unknown write response");

      if (ar_held && (!arvalid_i || ar_was != araddr_i)) $error("AXI4-Lite: read address changed before it was taken");
      if (aw_held && (!awvalid_i || aw_was != awaddr_i)) $error("AXI4-Lite: write address changed before it was taken");
      if (w_held && (!wvalid_i || w_was != {wdata_i, wstrb_i})) $error("AXI4-Lite: write data changed before they were taken");
      if (r_held && (!rvalid_i || r_was != {rdata_i, rresp_i})) $error("AXI4-Lite: read data changed before they were taken");
      if (b_held && (!bvalid_i || b_was != bresp_i)) $error("AXI4-Lite: write response changed before it was taken");
      ar_held = arvalid_i & ~arready_i;
      aw_held = awvalid_i & ~awready_i;
      w_held = wvalid_i & ~wready_i;
      r_held = rvalid_i & ~rready_i;
      b_held = bvalid_i & ~bready_i;
      if (ar_held) ar_was = araddr_i;
      if (aw_held) aw_was = awaddr_i;
      if (w_held) w_was = {wdata_i, wstrb_i};
      if (r_held) r_was = {rdata_i, rresp_i};
      if (b_held) b_was = bresp_i;

      if (rvalid_i && rready_i) begin
        if (reads == 0) $error("AXI4-Lite: read data without a read");
        else reads = reads - 1;
      end
      if (bvalid_i && bready_i) begin
        if (addresses == 0 || datas == 0) $error("AXI4-Lite: write response without a complete write");
        else begin
          addresses = addresses - 1;
          datas = datas - 1;
        end
      end
      if (arvalid_i && arready_i) begin
        if ((araddr_i & ODD) != '0) $error("AXI4-Lite: read address %h is not aligned", araddr_i);
        reads = reads + 1;
      end
      if (awvalid_i && awready_i) begin
        if ((awaddr_i & ODD) != '0) $error("AXI4-Lite: write address %h is not aligned", awaddr_i);
        addresses = addresses + 1;
      end
      if (wvalid_i && wready_i) datas = datas + 1;
      if (reads > MAX_PENDING || addresses > MAX_PENDING || datas > MAX_PENDING)
        $error("AXI4-Lite: more than %0d accesses under way", MAX_PENDING);
    end
    was_reset = in_reset;
  end
`endif

endmodule
`default_nettype wire
