`default_nettype none
// Checks of an AXI4 port, for simulation: connect it to both sides' signals. A violation ends the simulation with a message.
//
//   * a valid, once given, stays with its payload until ready; no valid in reset; no unknown valid, ready or payload
//   * bursts are INCR, of beats no wider than the bus, and do not cross 4 KB
//   * WLAST at the last beat of its address's burst, and only there; RLAST likewise
//   * a response has the ID of a burst under way: one per write burst, after its address and its last beat
//   * no more bursts of an ID under way than MAX_PER_ID
// Restriction: read bursts of one ID that are under way together have the same length.
// It has no outputs and no influence. Everything is under `ifndef SYNTHESIS.
module axi_assert #(
  parameter int unsigned ID_BITS = 14,
  parameter int unsigned ADDR_BITS = 40,
  parameter int unsigned DATA_BITS = 1024,
  parameter int unsigned MAX_PER_ID = 1
) (
  input wire logic                   clk_i,
  input wire logic                   rst_ni,
  input wire logic                   arvalid_i,
  input wire logic                   arready_i,
  input wire logic [ID_BITS-1:0]     arid_i,
  input wire logic [ADDR_BITS-1:0]   araddr_i,
  input wire logic [7:0]             arlen_i,
  input wire logic [2:0]             arsize_i,
  input wire logic [1:0]             arburst_i,
  input wire logic                   rvalid_i,
  input wire logic                   rready_i,
  input wire logic [ID_BITS-1:0]     rid_i,
  input wire logic [DATA_BITS-1:0]   rdata_i,
  input wire logic [1:0]             rresp_i,
  input wire logic                   rlast_i,
  input wire logic                   awvalid_i,
  input wire logic                   awready_i,
  input wire logic [ID_BITS-1:0]     awid_i,
  input wire logic [ADDR_BITS-1:0]   awaddr_i,
  input wire logic [7:0]             awlen_i,
  input wire logic [2:0]             awsize_i,
  input wire logic [1:0]             awburst_i,
  input wire logic                   wvalid_i,
  input wire logic                   wready_i,
  input wire logic [DATA_BITS-1:0]   wdata_i,
  input wire logic [DATA_BITS/8-1:0] wstrb_i,
  input wire logic                   wlast_i,
  input wire logic                   bvalid_i,
  input wire logic                   bready_i,
  input wire logic [ID_BITS-1:0]     bid_i,
  input wire logic [1:0]             bresp_i
);

`ifndef SYNTHESIS
  logic in_reset, was_reset;  // the first clock of a reset may be what brings it about
  assign in_reset = ~rst_ni;
  localparam int unsigned IDS = 1 << ID_BITS;
  localparam int unsigned LEAD = 1 << 14;  // bursts by which write address and data may drift apart
  localparam int unsigned MAX_SIZE = $clog2(DATA_BITS / 8);

  // Bursts under way, per ID.
  int unsigned reads [IDS];
  int unsigned writes [IDS];
  int unsigned due [IDS];          // write bursts that are complete and not answered
  logic [7:0]  read_len [IDS];
  logic [7:0]  read_beat [IDS];
  // Write bursts in order: what each address said, how long the data were.
  logic [ID_BITS-1:0] aw_id [LEAD];
  logic [7:0]         aw_len [LEAD];
  logic [7:0]         w_len [LEAD];
  int unsigned aw_count, w_count, joined;
  logic [7:0]  w_beat;
  // What was offered and not taken in the cycle before.
  logic ar_held, r_held, aw_held, w_held, b_held;
  logic [ID_BITS+ADDR_BITS+12:0] ar_was, aw_was;
  logic [ID_BITS+DATA_BITS+2:0]  r_was;
  logic [DATA_BITS+DATA_BITS/8:0] w_was;
  logic [ID_BITS+1:0]            b_was;

  // The last byte of a burst, in its 4 KB page; a carry means that it crosses.
  function automatic logic crosses(input logic [11:0] addr, input logic [7:0] len, input logic [2:0] size);
    logic [15:0] first, bytes;
    first = {4'b0, addr} & ~((16'd1 << size) - 16'd1);
    bytes = ({8'b0, len} + 16'd1) << size;
    crosses = first + bytes > 16'd4096;
  endfunction

  initial begin
    was_reset = 1'b0;
    aw_count = 0;
    w_count = 0;
    joined = 0;
    w_beat = '0;
    ar_held = 1'b0;
    r_held = 1'b0;
    aw_held = 1'b0;
    w_held = 1'b0;
    b_held = 1'b0;
    for (int unsigned i = 0; i < IDS; i = i + 1) begin
      reads[i] = 0;
      writes[i] = 0;
      due[i] = 0;
    end
  end

  always @(posedge clk_i) begin
    if (in_reset) begin
      if (was_reset && (arvalid_i || awvalid_i || wvalid_i || rvalid_i || bvalid_i)) $error("AXI: valid during reset");
      if (aw_count != 0 || w_count != 0 || joined != 0 || w_beat != 0) begin
        aw_count = 0;
        w_count = 0;
        joined = 0;
        w_beat = '0;
      end
      ar_held = 1'b0;
      r_held = 1'b0;
      aw_held = 1'b0;
      w_held = 1'b0;
      b_held = 1'b0;
      for (int unsigned i = 0; i < IDS; i = i + 1) begin
        reads[i] = 0;
        writes[i] = 0;
        due[i] = 0;
      end
    end else begin
      // --- unknown values (only a simulator with four states can see them) ---
      if ($isunknown({arvalid_i, awvalid_i, wvalid_i, rvalid_i, bvalid_i, arready_i, awready_i, wready_i, rready_i,
                      bready_i}))
        $error("AXI: unknown handshake");
      if (arvalid_i && $isunknown({arid_i, araddr_i, arlen_i, arsize_i, arburst_i})) $error("AXI: unknown read address");
      if (awvalid_i && $isunknown({awid_i, awaddr_i, awlen_i, awsize_i, awburst_i})) $error("AXI: unknown write address");
      if (wvalid_i && $isunknown({wstrb_i, wlast_i})) $error("AXI: unknown write data");
      if (rvalid_i && $isunknown({rid_i, rresp_i, rlast_i})) $error("AXI: unknown read data");
      if (bvalid_i && $isunknown({bid_i, bresp_i})) $error("AXI: unknown write response");

      // --- stable until taken ---
      if (ar_held && (!arvalid_i || ar_was != {arid_i, araddr_i, arlen_i, arsize_i, arburst_i}))
        $error("AXI: read address changed before it was taken");
      if (aw_held && (!awvalid_i || aw_was != {awid_i, awaddr_i, awlen_i, awsize_i, awburst_i}))
        $error("AXI: write address changed before it was taken");
      if (w_held && (!wvalid_i || w_was != {wdata_i, wstrb_i, wlast_i})) $error("AXI: write data changed before they were taken");
      if (r_held && (!rvalid_i || r_was != {rid_i, rdata_i, rresp_i, rlast_i}))
        $error("AXI: read data changed before they were taken");
      if (b_held && (!bvalid_i || b_was != {bid_i, bresp_i})) $error("AXI: write response changed before it was taken");
      ar_held = arvalid_i & ~arready_i;
      aw_held = awvalid_i & ~awready_i;
      w_held = wvalid_i & ~wready_i;
      r_held = rvalid_i & ~rready_i;
      b_held = bvalid_i & ~bready_i;
      if (ar_held) ar_was = {arid_i, araddr_i, arlen_i, arsize_i, arburst_i};
      if (aw_held) aw_was = {awid_i, awaddr_i, awlen_i, awsize_i, awburst_i};
      if (w_held) w_was = {wdata_i, wstrb_i, wlast_i};
      if (r_held) r_was = {rid_i, rdata_i, rresp_i, rlast_i};
      if (b_held) b_was = {bid_i, bresp_i};

      // --- responses, against what was under way before this cycle ---
      if (rvalid_i && rready_i) begin
        if (reads[rid_i] == 0) $error("AXI: read data with ID %0d, which has no read under way", rid_i);
        else begin
          if (rlast_i != (read_beat[rid_i] == read_len[rid_i]))
            $error("AXI: RLAST is %0d at beat %0d of %0d", rlast_i, read_beat[rid_i], read_len[rid_i]);
          if (rlast_i) begin
            reads[rid_i] = reads[rid_i] - 1;
            read_beat[rid_i] = '0;
          end else read_beat[rid_i] = read_beat[rid_i] + 8'd1;
        end
      end
      if (bvalid_i && bready_i) begin
        if (due[bid_i] == 0) $error("AXI: write response with ID %0d, which has no complete write", bid_i);
        else begin
          due[bid_i] = due[bid_i] - 1;
          writes[bid_i] = writes[bid_i] - 1;
        end
      end

      // --- requests ---
      if (arvalid_i && arready_i) begin
        if (arburst_i != 2'b01 || 32'(arsize_i) > MAX_SIZE) $error("AXI: read burst type %0d, size %0d", arburst_i, arsize_i);
        if (crosses(araddr_i[11:0], arlen_i, arsize_i)) $error("AXI: read burst at %h crosses 4 KB", araddr_i);
        if (reads[arid_i] >= MAX_PER_ID) $error("AXI: %0d reads with ID %0d under way", reads[arid_i] + 1, arid_i);
        if (reads[arid_i] != 0 && read_len[arid_i] != arlen_i) $error("AXI: reads of different length with ID %0d", arid_i);
        if (reads[arid_i] == 0) read_beat[arid_i] = '0;
        read_len[arid_i] = arlen_i;
        reads[arid_i] = reads[arid_i] + 1;
      end
      if (awvalid_i && awready_i) begin
        if (awburst_i != 2'b01 || 32'(awsize_i) > MAX_SIZE) $error("AXI: write burst type %0d, size %0d", awburst_i, awsize_i);
        if (crosses(awaddr_i[11:0], awlen_i, awsize_i)) $error("AXI: write burst at %h crosses 4 KB", awaddr_i);
        if (writes[awid_i] >= MAX_PER_ID) $error("AXI: %0d writes with ID %0d under way", writes[awid_i] + 1, awid_i);
        writes[awid_i] = writes[awid_i] + 1;
        aw_id[aw_count % LEAD] = awid_i;
        aw_len[aw_count % LEAD] = awlen_i;
        aw_count = aw_count + 1;
      end
      if (wvalid_i && wready_i) begin
        // The address may not be known yet: then WLAST is checked when it comes.
        if (aw_count > w_count && wlast_i != (w_beat == aw_len[w_count % LEAD]))
          $error("AXI: WLAST is %0d at beat %0d of %0d", wlast_i, w_beat, aw_len[w_count % LEAD]);
        if (wlast_i) begin
          w_len[w_count % LEAD] = w_beat;
          w_count = w_count + 1;
          w_beat = '0;
        end else w_beat = w_beat + 8'd1;
      end
      if (aw_count - joined > LEAD || w_count - joined > LEAD) $error("AXI: write address and data more than %0d apart", LEAD);
      if (joined != aw_count && joined != w_count) begin
        if (aw_len[joined % LEAD] != w_len[joined % LEAD])
          $error("AXI: %0d beats for a write burst of %0d", 32'(w_len[joined % LEAD]) + 1, 32'(aw_len[joined % LEAD]) + 1);
        due[aw_id[joined % LEAD]] = due[aw_id[joined % LEAD]] + 1;
        joined = joined + 1;
      end
    end
    was_reset = in_reset;
  end
`endif

endmodule
`default_nettype wire
