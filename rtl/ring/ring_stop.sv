`default_nettype none
// A stop of the data ring: one core, or the management DMA.
//
// Requests (reads, and writes with their stick) move from stop to stop towards the memory port, responses (read data, write
// acknowledgements) back from it. Each direction carries one flit of a stick per cycle.
//
// Requests: a buffer of two flits per stop, so ready is a register. When through traffic and the local side both want the
// buffer, through traffic gets THROUGH flits for each local one, THROUGH being the number of stops behind it: every source
// gets the same share of a busy memory port, and none starves. Local reads and writes take turns.
// Responses: a register per stop and no ready, because every stop takes what is meant for it at once.
//
// Latency: one cycle per stop in each direction.
// Handshake: valid/ready for requests; responses are always accepted.
module ring_stop #(
  parameter int unsigned THROUGH = 1  // stops whose requests pass this one
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [5:0]    id_i,           // source number of this stop
  // local side
  input  wire logic          rd_req_valid_i,
  output logic               rd_req_ready_o,
  input  wire logic [39:7]   rd_req_addr_i,
  input  wire logic [7:0]    rd_req_slot_i,
  output logic               rd_rsp_valid_o,
  output logic      [7:0]    rd_rsp_slot_o,
  output logic      [1023:0] rd_rsp_data_o,
  output logic               rd_rsp_err_o,
  input  wire logic          wr_req_valid_i,
  output logic               wr_req_ready_o,
  input  wire logic [39:7]   wr_req_addr_i,
  input  wire logic [7:0]    wr_req_slot_i,
  input  wire logic [1023:0] wr_req_data_i,
  input  wire logic [127:0]  wr_req_strb_i,
  output logic               wr_rsp_valid_o,
  output logic      [7:0]    wr_rsp_slot_o,
  output logic               wr_rsp_err_o,
  // requests from the stops behind
  input  wire logic          up_valid_i,
  output logic               up_ready_o,
  input  wire logic          up_we_i,
  input  wire logic [13:0]   up_id_i,        // {source, slot}
  input  wire logic [39:7]   up_addr_i,
  input  wire logic [1023:0] up_data_i,      // of writes
  input  wire logic [127:0]  up_strb_i,
  // requests towards memory
  output logic               down_valid_o,
  input  wire logic          down_ready_i,
  output logic               down_we_o,
  output logic      [13:0]   down_id_o,
  output logic      [39:7]   down_addr_o,
  output logic      [1023:0] down_data_o,
  output logic      [127:0]  down_strb_o,
  // responses from memory
  input  wire logic          rsp_valid_i,
  input  wire logic          rsp_we_i,
  input  wire logic [13:0]   rsp_id_i,
  input  wire logic [1023:0] rsp_data_i,
  input  wire logic          rsp_err_i,
  // responses for the stops behind
  output logic               rsp_valid_o,
  output logic               rsp_we_o,
  output logic      [13:0]   rsp_id_o,
  output logic      [1023:0] rsp_data_o,
  output logic               rsp_err_o
);

  // --- requests ---
  logic          skid_q, skid_we_q;
  logic [13:0]   skid_id_q;
  logic [39:7]   skid_addr_q;
  logic [1023:0] skid_data_q;
  logic [127:0]  skid_strb_q;
  logic [5:0]    credit_q;   // through flits before the local side is served
  logic          turn_q;     // local: a write is next
  logic          local_valid, local_we, pick_up, pick_wr, room, take, front_free;

  assign local_valid = rd_req_valid_i | wr_req_valid_i;
  assign local_we = wr_req_valid_i & (turn_q | ~rd_req_valid_i);
  assign pick_up = up_valid_i & (~local_valid | (credit_q != '0));
  assign pick_wr = ~pick_up & local_we;
  assign room = ~skid_q;
  assign up_ready_o = room & pick_up;
  assign rd_req_ready_o = room & ~pick_up & rd_req_valid_i & ~local_we;
  assign wr_req_ready_o = room & ~pick_up & local_we;
  assign take = room & (up_valid_i | local_valid);
  assign front_free = ~down_valid_o | down_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      down_valid_o <= 1'b0;
      skid_q <= 1'b0;
      credit_q <= '0;
      turn_q <= 1'b0;
    end else begin
      if (front_free) down_valid_o <= take | skid_q;
      if (take && !front_free) skid_q <= 1'b1;
      else if (front_free) skid_q <= 1'b0;
      if (take && pick_up) credit_q <= (credit_q != '0) ? credit_q - 6'd1 : 6'd0;
      else if (take) begin
        credit_q <= 6'(THROUGH);
        turn_q <= rd_req_valid_i & ~local_we;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (front_free) begin
      if (skid_q) begin
        down_we_o <= skid_we_q;
        down_id_o <= skid_id_q;
        down_addr_o <= skid_addr_q;
        if (skid_we_q) begin
          down_data_o <= skid_data_q;
          down_strb_o <= skid_strb_q;
        end
      end else if (pick_up) begin
        down_we_o <= up_we_i;
        down_id_o <= up_id_i;
        down_addr_o <= up_addr_i;
        if (up_we_i) begin
          down_data_o <= up_data_i;
          down_strb_o <= up_strb_i;
        end
      end else if (local_valid) begin
        down_we_o <= pick_wr;
        down_id_o <= {id_i, pick_wr ? wr_req_slot_i : rd_req_slot_i};
        down_addr_o <= pick_wr ? wr_req_addr_i : rd_req_addr_i;
        if (pick_wr) begin
          down_data_o <= wr_req_data_i;
          down_strb_o <= wr_req_strb_i;
        end
      end
    end else if (take) begin
      if (pick_up) begin
        skid_we_q <= up_we_i;
        skid_id_q <= up_id_i;
        skid_addr_q <= up_addr_i;
        if (up_we_i) begin
          skid_data_q <= up_data_i;
          skid_strb_q <= up_strb_i;
        end
      end else begin
        skid_we_q <= pick_wr;
        skid_id_q <= {id_i, pick_wr ? wr_req_slot_i : rd_req_slot_i};
        skid_addr_q <= pick_wr ? wr_req_addr_i : rd_req_addr_i;
        if (pick_wr) begin
          skid_data_q <= wr_req_data_i;
          skid_strb_q <= wr_req_strb_i;
        end
      end
    end
  end

  // --- responses ---
  logic          rsp_q, mine;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= rsp_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (rsp_valid_i) begin
      rsp_we_o <= rsp_we_i;
      rsp_id_o <= rsp_id_i;
      rsp_err_o <= rsp_err_i;
      if (!rsp_we_i) rsp_data_o <= rsp_data_i;
    end
  end

  assign mine = rsp_id_o[13:8] == id_i;
  assign rsp_valid_o = rsp_q & ~mine;
  assign rd_rsp_valid_o = rsp_q & mine & ~rsp_we_o;
  assign rd_rsp_slot_o = rsp_id_o[7:0];
  assign rd_rsp_data_o = rsp_data_o;
  assign rd_rsp_err_o = rsp_err_o;
  assign wr_rsp_valid_o = rsp_q & mine & rsp_we_o;
  assign wr_rsp_slot_o = rsp_id_o[7:0];
  assign wr_rsp_err_o = rsp_err_o;

endmodule
`default_nettype wire
