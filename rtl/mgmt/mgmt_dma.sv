`default_nettype none
// Stick DMA of the management processor: memory to its tightly coupled memory (TCM), to program rows and to argument rows of cores,
// and from TCM and status sticks of cores to memory.
//
// Transfers wait in a queue of QUEUE and take effect in order. Reads of all transfers at the head of the queue are requested ahead,
// up to SLOTS sticks in flight in any order of answers, and used in order: a stick of programs or arguments goes to four rows at
// once, a TCM stick to eight rows of 128 bits. A write transfer starts when all earlier ones are done, and reads after it when its writes have
// been answered; write transfers that follow each other overlap.
// A stick with a bus error is not used. A transfer with bad operands moves nothing. Both set STATE[1].
// A write to SEGMENT_HI starts a transfer as one to START does, with its operands in the two words of a program segment.
//
// Register bus: as in mgmt_console. done_o is a pulse when the DMA becomes idle, also after a start that moves nothing.
// Sticks of programs and arguments are accepted always, a cycle after they appear here; ld_row_o is the first of their four rows. A status stick comes on stat_data_i one
// cycle after stat_req_o.
// Ring: valid/ready for requests, which are registered; responses are always accepted.
module mgmt_dma #(
  parameter int unsigned CORES = 1,
  parameter int unsigned TCM_AW = $clog2(stp_pkg::TCM_BYTES / 4),
  parameter int unsigned QUEUE = 16,
  parameter int unsigned SLOTS = 128
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  // registers
  input  wire logic                  req_i,
  input  wire logic                  we_i,
  input  wire logic [11:0]           addr_i,
  input  wire logic [31:0]           wdata_i,
  output logic      [31:0]           rdata_o,
  output logic                       hit_o,
  output logic                       done_o,
  // TCM
  output logic                       tcm_valid_o,
  input  wire logic                  tcm_ready_i,
  output logic                       tcm_we_o,
  output logic      [TCM_AW-3:0]     tcm_addr_o,
  output logic      [127:0]          tcm_wdata_o,
  input  wire logic                  tcm_rvalid_i,
  input  wire logic [127:0]          tcm_rdata_i,
  // cores
  output logic      [CORES-1:0]      ld_valid_o,
  output logic                       ld_kind_o,
  output logic      [9:0]            ld_units_o,
  output logic      [7:0]            ld_row_o,
  output logic      [1023:0]         ld_data_o,
  output logic      [CORES-1:0]      stat_req_o,
  output logic      [3:0]            stat_unit_o,
  input  wire logic [CORES*1024-1:0] stat_data_i,
  // ring
  output logic                       rd_req_valid_o,
  input  wire logic                  rd_req_ready_i,
  output logic      [39:7]           rd_req_addr_o,
  output logic      [7:0]            rd_req_slot_o,
  input  wire logic                  rd_rsp_valid_i,
  input  wire logic [7:0]            rd_rsp_slot_i,
  input  wire logic [1023:0]         rd_rsp_data_i,
  input  wire logic                  rd_rsp_err_i,
  output logic                       wr_req_valid_o,
  input  wire logic                  wr_req_ready_i,
  output logic      [39:7]           wr_req_addr_o,
  output logic      [7:0]            wr_req_slot_o,
  output logic      [1023:0]         wr_req_data_o,
  output logic      [127:0]          wr_req_strb_o,
  input  wire logic                  wr_rsp_valid_i,
  input  wire logic [7:0]            wr_rsp_slot_i,
  input  wire logic                  wr_rsp_err_i
);
  localparam int unsigned QW = $clog2(QUEUE);
  localparam int unsigned SW = $clog2(SLOTS);
  localparam int unsigned WSLOTS = 16;
  localparam int unsigned PROG_ROWS = stp_pkg::PROG_WORDS / stp_pkg::PROG_ROW_WORDS;
  localparam int unsigned ARG_ROWS = stp_pkg::ARGS / 4;

  localparam logic [2:0] TO_TCM   = 3'd0;
  localparam logic [2:0] PROGRAM  = 3'd1;
  localparam logic [2:0] ARGS     = 3'd2;
  localparam logic [2:0] FROM_TCM = 3'd3;
  localparam logic [2:0] STATUS   = 3'd4;

  // ---------------------------------------------------------------- registers
  logic [31:0] addr_lo_q, addr_hi_q, local_q, count_q, units_q, cores_q, segment_q;
  logic        error_q;

  // ---------------------------------------------------------------- queue
  // head_q: the transfer that takes effect; issue_q: the one whose reads are requested.
  logic [2:0]  q_kind  [QUEUE];
  logic [32:0] q_addr  [QUEUE];  // sticks
  logic [8:0]  q_local [QUEUE];  // TCM stick, or row
  logic [9:0]  q_count [QUEUE];
  logic [9:0]  q_units [QUEUE];
  logic [CORES-1:0] q_cores [QUEUE];
  logic [QW:0] tail_q, head_q, issue_q;

  logic start, start_ok, push, full, busy, busy_q, writes_done;
  logic head_valid, head_read, retire, issue_valid, issue_read;
  logic [2:0] head_kind, issue_kind;
  logic [9:0] head_count;
  logic [8:0] head_local;

  // ---------------------------------------------------------------- operands
  // What would start now: the transfer of the registers, or a program segment.
  logic        segment;
  logic [31:0] s_kind, s_local, s_count;
  logic [9:0]  s_units;
  logic [33:0] s_stick, end_stick;
  logic [32:0] end_local;
  logic        to_or_from_tcm, range_ok;

  assign segment = addr_i == stp_pkg::MGMT_DMA_SEGMENT_HI;
  assign s_kind = segment ? 32'(PROGRAM) : wdata_i;
  assign s_local = segment ? {16'b0, wdata_i[31:16]} : local_q;
  assign s_count = segment ? {16'b0, wdata_i[15:0]} : count_q;
  assign s_units = segment ? segment_q[9:0] : units_q[9:0];
  assign s_stick = {1'b0, addr_hi_q[7:0], addr_lo_q[31:7]} + (segment ? {18'b0, segment_q[31:16]} : 34'b0);

  assign end_stick = s_stick + {2'b0, s_count};
  // Rows for programs and arguments, bytes for TCM.
  assign to_or_from_tcm = s_kind[2:0] == TO_TCM || s_kind[2:0] == FROM_TCM;
  assign end_local = {1'b0, s_local} + (to_or_from_tcm ? {s_count[25:0], 7'b0} : {s_count[30:0], 2'b0});
  assign range_ok = (addr_lo_q[6:0] == 7'b0) && (addr_hi_q[31:8] == '0) && (end_stick <= {1'b1, 33'b0}) && (s_count[31:16] == '0);

  always_comb begin
    unique case (s_kind[2:0])
      TO_TCM, FROM_TCM: start_ok = range_ok & (s_local[6:0] == 7'b0) & (end_local <= 33'(stp_pkg::TCM_BYTES));
      PROGRAM: start_ok = range_ok & (end_local <= 33'(PROG_ROWS));
      ARGS:    start_ok = range_ok & (end_local <= 33'(ARG_ROWS));
      STATUS:  start_ok = range_ok & (cores_q < CORES) & (s_count <= stp_pkg::UNITS);
      default: start_ok = 1'b0;
    endcase
    if (s_kind[31:3] != '0) start_ok = 1'b0;
    // A segment is for some units, all of which exist, and has a length.
    if (segment && (segment_q[15:10] != '0 || segment_q[9:0] == '0 || s_count == '0)) start_ok = 1'b0;
  end

  assign start = req_i & we_i & (segment | (addr_i == stp_pkg::MGMT_DMA_START)) & ~full;
  assign push = start & start_ok & (s_count != '0);

  always_comb begin
    hit_o = 1'b1;
    unique case (addr_i)
      stp_pkg::MGMT_DMA_ADDR_LO: rdata_o = addr_lo_q;
      stp_pkg::MGMT_DMA_ADDR_HI: rdata_o = addr_hi_q;
      stp_pkg::MGMT_DMA_LOCAL:   rdata_o = local_q;
      stp_pkg::MGMT_DMA_COUNT:   rdata_o = count_q;
      stp_pkg::MGMT_DMA_UNITS:   rdata_o = units_q;
      stp_pkg::MGMT_DMA_CORES:   rdata_o = cores_q;
      stp_pkg::MGMT_DMA_START:   rdata_o = '0;
      stp_pkg::MGMT_DMA_STATE:   rdata_o = {29'b0, full, error_q, busy};
      stp_pkg::MGMT_DMA_SEGMENT_LO: rdata_o = segment_q;
      stp_pkg::MGMT_DMA_SEGMENT_HI: rdata_o = '0;
      default: begin
        rdata_o = '0;
        hit_o = 1'b0;
      end
    endcase
  end

  logic stick_error;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addr_lo_q <= '0;
      addr_hi_q <= '0;
      local_q <= '0;
      count_q <= '0;
      units_q <= '0;
      cores_q <= '0;
      segment_q <= '0;
      error_q <= 1'b0;
    end else begin
      if (req_i && we_i) begin
        unique case (addr_i)
          stp_pkg::MGMT_DMA_ADDR_LO: addr_lo_q <= wdata_i;
          stp_pkg::MGMT_DMA_ADDR_HI: addr_hi_q <= wdata_i;
          stp_pkg::MGMT_DMA_LOCAL:   local_q <= wdata_i;
          stp_pkg::MGMT_DMA_COUNT:   count_q <= wdata_i;
          stp_pkg::MGMT_DMA_UNITS:   units_q <= wdata_i;
          stp_pkg::MGMT_DMA_CORES:   cores_q <= wdata_i;
          stp_pkg::MGMT_DMA_STATE:   error_q <= 1'b0;
          stp_pkg::MGMT_DMA_SEGMENT_LO: segment_q <= wdata_i;
          default: ;
        endcase
      end
      if (stick_error || (wr_rsp_valid_i && wr_rsp_err_i) || (start && !start_ok)) error_q <= 1'b1;
    end
  end

  assign full = (tail_q[QW-1:0] == head_q[QW-1:0]) & (tail_q[QW] != head_q[QW]);
  assign head_valid = tail_q != head_q;
  assign head_kind = q_kind[head_q[QW-1:0]];
  assign head_read = head_kind < FROM_TCM;
  assign head_count = q_count[head_q[QW-1:0]];
  assign head_local = q_local[head_q[QW-1:0]];
  assign issue_valid = tail_q != issue_q;
  assign issue_kind = q_kind[issue_q[QW-1:0]];
  assign issue_read = issue_kind < FROM_TCM;
  assign busy = head_valid | ~writes_done;
  // The cycle in which the DMA is idle again; a start that is refused makes it "idle again" at once.
  assign done_o = ~busy & (busy_q | (start & ~push));

  logic issue_next;  // the reads of the transfer at issue_q have all been requested, or it writes and is over

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q <= '0;
      head_q <= '0;
      issue_q <= '0;
      busy_q <= 1'b0;
    end else begin
      busy_q <= busy;
      if (push) tail_q <= tail_q + 1'b1;
      if (retire) head_q <= head_q + 1'b1;
      if (issue_next) issue_q <= issue_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      q_kind[tail_q[QW-1:0]] <= s_kind[2:0];
      q_addr[tail_q[QW-1:0]] <= s_stick[32:0];
      q_local[tail_q[QW-1:0]] <= to_or_from_tcm ? s_local[15:7] : s_local[8:0];
      q_count[tail_q[QW-1:0]] <= s_count[9:0];
      q_units[tail_q[QW-1:0]] <= s_units;
      q_cores[tail_q[QW-1:0]] <= (s_kind[2:0] == STATUS) ? CORES'(1) << cores_q[4:0] : cores_q[CORES-1:0];
    end
  end

  // ---------------------------------------------------------------- reads: requests
  logic [9:0]       asked_q;         // sticks of the transfer at issue_q
  logic [SW:0]      alloc_q, used_q; // slots taken and given back, in order
  logic [SLOTS-1:0] full_q, slot_err_q;
  logic             ask, fetch;

  assign ask = issue_valid & issue_read & writes_done & ((alloc_q - used_q) != (SW + 1)'(SLOTS)) &
               (~rd_req_valid_o | rd_req_ready_i);
  assign issue_next = issue_read ? ask & (asked_q + 10'd1 == q_count[issue_q[QW-1:0]]) : retire & (head_q == issue_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_req_valid_o <= 1'b0;
      asked_q <= '0;
      alloc_q <= '0;
      full_q <= '0;
    end else begin
      if (ask) rd_req_valid_o <= 1'b1;
      else if (rd_req_ready_i) rd_req_valid_o <= 1'b0;
      if (ask) begin
        asked_q <= issue_next ? '0 : asked_q + 10'd1;
        alloc_q <= alloc_q + 1'b1;
      end
      if (rd_rsp_valid_i) full_q[rd_rsp_slot_i[SW-1:0]] <= 1'b1;
      if (fetch) full_q[used_q[SW-1:0]] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ask) begin
      rd_req_addr_o <= q_addr[issue_q[QW-1:0]] + 33'(asked_q);
      rd_req_slot_o <= 8'(alloc_q[SW-1:0]);
    end
    if (rd_rsp_valid_i) slot_err_q[rd_rsp_slot_i[SW-1:0]] <= rd_rsp_err_i;
  end

  // ---------------------------------------------------------------- reads: use
  // stick is the one at used_q - 1, from the cycle after its fetch until the next fetch.
  logic [1023:0] stick;
  logic          have_q, bad_q, beat_done, last_beat;
  logic [2:0]    beat_q;
  logic [9:0]    moved_q;  // sticks of the transfer at head_q
  logic          to_tcm;
  logic [7:0]    row;

  sram_1r1w #(.WIDTH(1024), .DEPTH(SLOTS)) u_slots (
    .clk_i,
    .rreq_i (fetch),
    .raddr_i(used_q[SW-1:0]),
    .rdata_o(stick),
    .wreq_i (rd_rsp_valid_i),
    .waddr_i(rd_rsp_slot_i[SW-1:0]),
    .wmask_i('1),
    .wdata_i(rd_rsp_data_i)
  );

  assign to_tcm = head_kind == TO_TCM;
  assign beat_done = have_q & (bad_q | ~to_tcm | tcm_ready_i);
  assign last_beat = beat_done & (bad_q | ~to_tcm | (beat_q == 3'd7));
  assign fetch = full_q[used_q[SW-1:0]] & (~have_q | last_beat);
  assign stick_error = have_q & bad_q;
  assign row = head_local[7:0] + {moved_q[5:0], 2'b0};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      have_q <= 1'b0;
      beat_q <= '0;
      used_q <= '0;
    end else begin
      if (fetch) have_q <= 1'b1;
      else if (last_beat) have_q <= 1'b0;
      if (fetch) used_q <= used_q + 1'b1;
      if (beat_done) beat_q <= last_beat ? '0 : beat_q + 3'd1;
    end
  end

  always_ff @(posedge clk_i) if (fetch) bad_q <= slot_err_q[used_q[SW-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ld_valid_o <= '0;
    else if (have_q && !bad_q && !to_tcm) ld_valid_o <= q_cores[head_q[QW-1:0]];
    else ld_valid_o <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (have_q && !bad_q && !to_tcm) begin
      ld_kind_o <= head_kind == ARGS;
      ld_units_o <= q_units[head_q[QW-1:0]];
      ld_row_o <= row;
      ld_data_o <= stick;
    end
  end

  // ---------------------------------------------------------------- writes
  localparam logic [1:0] W_IDLE = 2'd0;
  localparam logic [1:0] W_TCM  = 2'd1;  // eight rows come from TCM
  localparam logic [1:0] W_STAT = 2'd2;  // a status stick comes
  localparam logic [1:0] W_SEND = 2'd3;

  logic [1:0]        w_state_q;
  logic [3:0]        w_ask_q;   // rows asked of TCM, 8: all
  logic [2:0]        w_got_q;
  logic [3:0]        w_slot_q;
  logic [WSLOTS-1:0] w_busy_q;
  logic              w_go, sent, w_more;
  logic [3:0]        w_slot;
  logic [9:0]        w_stick;
  logic [1023:0]     stat_data;

  // The next stick of a status transfer is asked for while the last is sent.
  assign sent = (w_state_q == W_SEND) & wr_req_ready_i;
  assign w_more = sent & (head_kind == STATUS) & ~retire;
  assign w_stick = w_more ? moved_q + 10'd1 : moved_q;
  assign w_slot = w_more ? w_slot_q + 4'd1 : w_slot_q;
  assign w_go = ((w_state_q == W_IDLE) | w_more) & head_valid & ~head_read & ~w_busy_q[w_slot];
  assign wr_req_valid_o = w_state_q == W_SEND;
  assign wr_req_strb_o = '1;
  assign writes_done = w_busy_q == '0;
  assign stat_req_o = (w_go && head_kind == STATUS) ? q_cores[head_q[QW-1:0]] : '0;
  assign stat_unit_o = w_stick[3:0];

  // The stick of the one core that was asked.
  always_comb begin
    stat_data = '0;
    if (w_state_q == W_STAT) begin
      for (int unsigned n = 0; n < CORES; n = n + 1)
        if (q_cores[head_q[QW-1:0]][n]) stat_data = stat_data | stat_data_i[1024*n+:1024];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      w_state_q <= W_IDLE;
      w_ask_q <= '0;
      w_got_q <= '0;
      w_slot_q <= '0;
      w_busy_q <= '0;
    end else begin
      unique case (w_state_q)
        W_IDLE: begin
          w_ask_q <= '0;
          if (w_go) w_state_q <= (head_kind == STATUS) ? W_STAT : W_TCM;
        end
        W_TCM: begin
          if (tcm_valid_o && tcm_ready_i) w_ask_q <= w_ask_q + 4'd1;
          if (tcm_rvalid_i) begin
            w_got_q <= w_got_q + 3'd1;
            if (w_got_q == 3'd7) w_state_q <= W_SEND;
          end
        end
        W_STAT: w_state_q <= W_SEND;
        default: if (wr_req_ready_i) w_state_q <= w_go ? W_STAT : W_IDLE;
      endcase
      if (wr_rsp_valid_i) w_busy_q[wr_rsp_slot_i[3:0]] <= 1'b0;
      if (w_go) w_busy_q[w_slot] <= 1'b1;
      if (sent) w_slot_q <= w_slot_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (w_go) begin
      wr_req_addr_o <= q_addr[head_q[QW-1:0]] + 33'(w_stick);
      wr_req_slot_o <= 8'(w_slot);
    end
    if (w_state_q == W_STAT) wr_req_data_o <= stat_data;
    else if (w_state_q == W_TCM && tcm_rvalid_i) wr_req_data_o <= {tcm_rdata_i, wr_req_data_o[1023:128]};
  end

  // ---------------------------------------------------------------- TCM port, progress of the transfer at head_q
  logic [8:0] tcm_stick;

  assign tcm_stick = head_local + moved_q[8:0];
  assign tcm_we_o = have_q;
  assign tcm_valid_o = (have_q & ~bad_q & to_tcm) | ((w_state_q == W_TCM) & ~w_ask_q[3]);
  assign tcm_addr_o = (TCM_AW - 2)'({tcm_stick, have_q ? beat_q : w_ask_q[2:0]});
  assign tcm_wdata_o = stick[{beat_q, 7'b0}+:128];

  assign retire = (last_beat | sent) & (moved_q + 10'd1 == head_count);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) moved_q <= '0;
    else if (last_beat || sent) moved_q <= retire ? '0 : moved_q + 10'd1;
  end

  // Slots number fewer than their field allows.
  wire unused_slots = &{1'b0, rd_rsp_slot_i[7:SW], wr_rsp_slot_i[7:4]};

`ifndef SYNTHESIS
  // The instruction-set simulator that runs beside the processor learns what the DMA writes.
  import "DPI-C" context function void stp_tcm_dma(input int unsigned addr, input int unsigned data);

  always_ff @(posedge clk_i) begin
    if (tcm_valid_o && tcm_ready_i && tcm_we_o) begin
      for (int unsigned n = 0; n < 4; n = n + 1)
        stp_tcm_dma(32'({tcm_addr_o, 4'(4 * n)}), tcm_wdata_o[32*n+:32]);
    end
  end
`endif
endmodule
`default_nettype wire
