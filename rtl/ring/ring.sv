`default_nettype none
// The data ring: CORES core stops, the management stop, and the side of the memory port.
//
//   core CORES-1 -> ... -> core 1 -> core 0 -> management -> memory port      requests
//   core CORES-1 <- ... <- core 1 <- core 0 <- management <- memory port      responses
//
// Both directions end at the memory port: requests all go to it, responses all come from it, so neither direction is closed
// into a cycle. It cannot deadlock: a response is taken by its stop in the cycle it arrives, whatever the stop's requests
// wait for, so the memory port can always get rid of responses; hence it can always take the next request in the end; hence
// the request buffers, which wait only for the one nearer to memory, always move in the end.
//
// Sources are core numbers, and MGMT_SOURCE for management; the memory side sees {source, slot} as the ID.
// Latency: core k is k + 2 cycles from the memory side in each direction, management 1.
// Handshake: valid/ready for requests; responses are always accepted, on both sides, and come in any order.
// Ports of cores are flat buses: core k has bits k of 1-bit signals and slice k of wider ones.
module ring #(
  parameter int unsigned CORES = 1  // 1 .. 32
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  // cores
  input  wire logic [CORES-1:0]      core_rd_req_valid_i,
  output logic      [CORES-1:0]      core_rd_req_ready_o,
  input  wire logic [CORES*33-1:0]   core_rd_req_addr_i,
  input  wire logic [CORES*8-1:0]    core_rd_req_slot_i,
  output logic      [CORES-1:0]      core_rd_rsp_valid_o,
  output logic      [CORES*8-1:0]    core_rd_rsp_slot_o,
  output logic      [CORES*1024-1:0] core_rd_rsp_data_o,
  output logic      [CORES-1:0]      core_rd_rsp_err_o,
  input  wire logic [CORES-1:0]      core_wr_req_valid_i,
  output logic      [CORES-1:0]      core_wr_req_ready_o,
  input  wire logic [CORES*33-1:0]   core_wr_req_addr_i,
  input  wire logic [CORES*8-1:0]    core_wr_req_slot_i,
  input  wire logic [CORES*1024-1:0] core_wr_req_data_i,
  input  wire logic [CORES*128-1:0]  core_wr_req_strb_i,
  output logic      [CORES-1:0]      core_wr_rsp_valid_o,
  output logic      [CORES*8-1:0]    core_wr_rsp_slot_o,
  output logic      [CORES-1:0]      core_wr_rsp_err_o,
  // management DMA
  input  wire logic                  mgmt_rd_req_valid_i,
  output logic                       mgmt_rd_req_ready_o,
  input  wire logic [39:7]           mgmt_rd_req_addr_i,
  input  wire logic [7:0]            mgmt_rd_req_slot_i,
  output logic                       mgmt_rd_rsp_valid_o,
  output logic      [7:0]            mgmt_rd_rsp_slot_o,
  output logic      [1023:0]         mgmt_rd_rsp_data_o,
  output logic                       mgmt_rd_rsp_err_o,
  input  wire logic                  mgmt_wr_req_valid_i,
  output logic                       mgmt_wr_req_ready_o,
  input  wire logic [39:7]           mgmt_wr_req_addr_i,
  input  wire logic [7:0]            mgmt_wr_req_slot_i,
  input  wire logic [1023:0]         mgmt_wr_req_data_i,
  input  wire logic [127:0]          mgmt_wr_req_strb_i,
  output logic                       mgmt_wr_rsp_valid_o,
  output logic      [7:0]            mgmt_wr_rsp_slot_o,
  output logic                       mgmt_wr_rsp_err_o,
  // memory port
  output logic                       mem_req_valid_o,
  input  wire logic                  mem_req_ready_i,
  output logic                       mem_req_we_o,
  output logic      [13:0]           mem_req_id_o,
  output logic      [39:7]           mem_req_addr_o,
  output logic      [1023:0]         mem_req_data_o,
  output logic      [127:0]          mem_req_strb_o,
  input  wire logic                  mem_rsp_valid_i,
  input  wire logic                  mem_rsp_we_i,
  input  wire logic [13:0]           mem_rsp_id_i,
  input  wire logic [1023:0]         mem_rsp_data_i,
  input  wire logic                  mem_rsp_err_i
);

  // Link k is between core k (far side) and the stop before it (core k-1, or management for k = 0).
  logic [CORES:0]            q_valid, q_ready, q_we;
  logic [(CORES+1)*14-1:0]   q_id;
  logic [(CORES+1)*33-1:0]   q_addr;
  logic [(CORES+1)*1024-1:0] q_data;
  logic [(CORES+1)*128-1:0]  q_strb;
  logic [CORES:0]            p_valid, p_we, p_err;
  logic [(CORES+1)*14-1:0]   p_id;
  logic [(CORES+1)*1024-1:0] p_data;
  logic                      unused_end;

  // Nothing is behind the last core: no requests, and a response that no stop took (there is none) ends here.
  assign q_valid[CORES] = 1'b0;
  assign q_we[CORES] = 1'b0;
  assign q_id[CORES*14+:14] = '0;
  assign q_addr[CORES*33+:33] = '0;
  assign q_data[CORES*1024+:1024] = '0;
  assign q_strb[CORES*128+:128] = '0;
  assign unused_end = q_ready[CORES] ^ p_valid[CORES] ^ p_we[CORES] ^ p_err[CORES] ^ (^p_id[CORES*14+:14]) ^
                      (^p_data[CORES*1024+:1024]);

  for (genvar k = 0; k < CORES; k++) begin : g_core
    ring_stop #(.THROUGH(CORES - 1 - k)) stop (
      .clk_i, .rst_ni,
      .id_i(6'(k)),
      .rd_req_valid_i(core_rd_req_valid_i[k]),
      .rd_req_ready_o(core_rd_req_ready_o[k]),
      .rd_req_addr_i(core_rd_req_addr_i[k*33+:33]),
      .rd_req_slot_i(core_rd_req_slot_i[k*8+:8]),
      .rd_rsp_valid_o(core_rd_rsp_valid_o[k]),
      .rd_rsp_slot_o(core_rd_rsp_slot_o[k*8+:8]),
      .rd_rsp_data_o(core_rd_rsp_data_o[k*1024+:1024]),
      .rd_rsp_err_o(core_rd_rsp_err_o[k]),
      .wr_req_valid_i(core_wr_req_valid_i[k]),
      .wr_req_ready_o(core_wr_req_ready_o[k]),
      .wr_req_addr_i(core_wr_req_addr_i[k*33+:33]),
      .wr_req_slot_i(core_wr_req_slot_i[k*8+:8]),
      .wr_req_data_i(core_wr_req_data_i[k*1024+:1024]),
      .wr_req_strb_i(core_wr_req_strb_i[k*128+:128]),
      .wr_rsp_valid_o(core_wr_rsp_valid_o[k]),
      .wr_rsp_slot_o(core_wr_rsp_slot_o[k*8+:8]),
      .wr_rsp_err_o(core_wr_rsp_err_o[k]),
      .up_valid_i(q_valid[k+1]),
      .up_ready_o(q_ready[k+1]),
      .up_we_i(q_we[k+1]),
      .up_id_i(q_id[(k+1)*14+:14]),
      .up_addr_i(q_addr[(k+1)*33+:33]),
      .up_data_i(q_data[(k+1)*1024+:1024]),
      .up_strb_i(q_strb[(k+1)*128+:128]),
      .down_valid_o(q_valid[k]),
      .down_ready_i(q_ready[k]),
      .down_we_o(q_we[k]),
      .down_id_o(q_id[k*14+:14]),
      .down_addr_o(q_addr[k*33+:33]),
      .down_data_o(q_data[k*1024+:1024]),
      .down_strb_o(q_strb[k*128+:128]),
      .rsp_valid_i(p_valid[k]),
      .rsp_we_i(p_we[k]),
      .rsp_id_i(p_id[k*14+:14]),
      .rsp_data_i(p_data[k*1024+:1024]),
      .rsp_err_i(p_err[k]),
      .rsp_valid_o(p_valid[k+1]),
      .rsp_we_o(p_we[k+1]),
      .rsp_id_o(p_id[(k+1)*14+:14]),
      .rsp_data_o(p_data[(k+1)*1024+:1024]),
      .rsp_err_o(p_err[k+1])
    );
  end

  ring_stop #(.THROUGH(CORES)) mgmt (
    .clk_i, .rst_ni,
    .id_i(6'(stp_pkg::MGMT_SOURCE)),
    .rd_req_valid_i(mgmt_rd_req_valid_i),
    .rd_req_ready_o(mgmt_rd_req_ready_o),
    .rd_req_addr_i(mgmt_rd_req_addr_i),
    .rd_req_slot_i(mgmt_rd_req_slot_i),
    .rd_rsp_valid_o(mgmt_rd_rsp_valid_o),
    .rd_rsp_slot_o(mgmt_rd_rsp_slot_o),
    .rd_rsp_data_o(mgmt_rd_rsp_data_o),
    .rd_rsp_err_o(mgmt_rd_rsp_err_o),
    .wr_req_valid_i(mgmt_wr_req_valid_i),
    .wr_req_ready_o(mgmt_wr_req_ready_o),
    .wr_req_addr_i(mgmt_wr_req_addr_i),
    .wr_req_slot_i(mgmt_wr_req_slot_i),
    .wr_req_data_i(mgmt_wr_req_data_i),
    .wr_req_strb_i(mgmt_wr_req_strb_i),
    .wr_rsp_valid_o(mgmt_wr_rsp_valid_o),
    .wr_rsp_slot_o(mgmt_wr_rsp_slot_o),
    .wr_rsp_err_o(mgmt_wr_rsp_err_o),
    .up_valid_i(q_valid[0]),
    .up_ready_o(q_ready[0]),
    .up_we_i(q_we[0]),
    .up_id_i(q_id[13:0]),
    .up_addr_i(q_addr[32:0]),
    .up_data_i(q_data[1023:0]),
    .up_strb_i(q_strb[127:0]),
    .down_valid_o(mem_req_valid_o),
    .down_ready_i(mem_req_ready_i),
    .down_we_o(mem_req_we_o),
    .down_id_o(mem_req_id_o),
    .down_addr_o(mem_req_addr_o),
    .down_data_o(mem_req_data_o),
    .down_strb_o(mem_req_strb_o),
    .rsp_valid_i(mem_rsp_valid_i),
    .rsp_we_i(mem_rsp_we_i),
    .rsp_id_i(mem_rsp_id_i),
    .rsp_data_i(mem_rsp_data_i),
    .rsp_err_i(mem_rsp_err_i),
    .rsp_valid_o(p_valid[0]),
    .rsp_we_o(p_we[0]),
    .rsp_id_o(p_id[13:0]),
    .rsp_data_o(p_data[1023:0]),
    .rsp_err_o(p_err[0])
  );

endmodule
`default_nettype wire
