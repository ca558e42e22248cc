`default_nettype none
// Transposer of LX-LU: takes blocks of up to 64 sticks, the rows, and gives the columns: stick j holds element j of every row. Elements
// have 16 bits, or 32: then blocks have up to 32 rows.
//
// It holds two blocks: one fills while the other drains. Row i is kept rotated by i lanes in a memory per lane, so that the
// elements of a column lie in different memories, at addresses that count backwards. A row that is not there (the walk ended before)
// reads as the pattern pad; columns from cols_i on do not leave.
//
// Latency: row_data_i belongs to the take_i two cycles before; the first column leaves two cycles after the block's last row came. Rows
// and columns go at one per cycle, also from block to block.
// Handshake: take_i only while ready_o; last_i ends a block early. A column leaves when its FIFO's credit covers it, not while hold_i,
// and is not held up then. What belongs to a take_i (wide_i to pad_i) must be the same for all rows of a block.
module transposer (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          clear_i,

  output logic               ready_o,
  input  wire logic          take_i,
  input  wire logic          last_i,
  input  wire logic          wide_i,   // elements of 32 bits
  input  wire logic          sfu_i,    // the columns go to SFU, not to PT
  input  wire logic [6:0]    cols_i,   // columns that leave
  input  wire logic [31:0]   pad_i,
  input  wire logic [1023:0] row_data_i,

  input  wire logic          hold_i,
  input  wire logic [4:0]    pt_room_i,
  input  wire logic [4:0]    sfu_room_i,
  output logic               valid_o,
  output logic               sfu_o,
  output logic      [1023:0] data_o,

  output logic               busy_o,   // has rows, or columns that have not left
  output logic               stuck_o   // its next column finds no room
);
  // x rotated upwards by n lanes of 16 bits.
  function automatic logic [1023:0] rotate(input logic [1023:0] x, input logic [5:0] n);
    logic [1023:0] r;
    r = x;
    if (n[0]) r = {r[1007:0], r[1023:1008]};
    if (n[1]) r = {r[991:0], r[1023:992]};
    if (n[2]) r = {r[959:0], r[1023:960]};
    if (n[3]) r = {r[895:0], r[1023:896]};
    if (n[4]) r = {r[767:0], r[1023:768]};
    if (n[5]) r = {r[511:0], r[1023:512]};
    rotate = r;
  endfunction

  // ---------------------------------------------------------------- banks
  // closed: no row is taken for it any more; full: all its rows have come.
  logic [1:0] closed_q, full_q;
  logic fill_q, drain_q;
  logic [5:0] taken_q;  // rows taken for the bank that fills
  wire close = take_i & (last_i | (taken_q == (wide_i ? 6'd31 : 6'd63)));
  wire free, finish;
  assign ready_o = ~closed_q[fill_q];

  // Two cycles of LX.
  logic v1_q, v2_q, close1_q, close2_q, bank1_q, bank2_q, wide1_q, wide2_q, sfu1_q, sfu2_q;
  logic [5:0] row1_q, row2_q;
  logic [6:0] cols1_q, cols2_q;
  logic [31:0] pad1_q, pad2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      closed_q <= '0;
      full_q <= '0;
      fill_q <= 1'b0;
      drain_q <= 1'b0;
      taken_q <= '0;
      v1_q <= 1'b0;
      v2_q <= 1'b0;
    end else if (clear_i) begin
      closed_q <= '0;
      full_q <= '0;
      fill_q <= 1'b0;
      drain_q <= 1'b0;
      taken_q <= '0;
      v1_q <= 1'b0;
      v2_q <= 1'b0;
    end else begin
      v1_q <= take_i;
      v2_q <= v1_q;
      if (free) closed_q[drain_q] <= 1'b0;
      if (finish) begin
        full_q[drain_q] <= 1'b0;
        drain_q <= ~drain_q;
      end
      if (take_i) taken_q <= close ? '0 : taken_q + 1'b1;
      if (close) begin
        closed_q[fill_q] <= 1'b1;
        fill_q <= ~fill_q;
      end
      if (v2_q & close2_q) full_q[bank2_q] <= 1'b1;
    end
  end

  // What is known of the rows of a bank. It is written with the rows, when the columns of the block before have been read.
  logic [5:0] rows_q [2];  // the last row
  logic [6:0] cols_q [2];
  logic [31:0] pad_q [2];
  logic [1:0] wide_q, sfu_q;
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      close1_q <= close;
      bank1_q <= fill_q;
      row1_q <= taken_q;
      wide1_q <= wide_i;
      sfu1_q <= sfu_i;
      cols1_q <= cols_i;
      pad1_q <= pad_i;
    end
    if (v1_q) begin
      close2_q <= close1_q;
      bank2_q <= bank1_q;
      row2_q <= row1_q;
      wide2_q <= wide1_q;
      sfu2_q <= sfu1_q;
      cols2_q <= cols1_q;
      pad2_q <= pad1_q;
    end
    if (v2_q) begin
      rows_q[bank2_q] <= row2_q;
      cols_q[bank2_q] <= cols2_q;
      pad_q[bank2_q] <= pad2_q;
      wide_q[bank2_q] <= wide2_q;
      sfu_q[bank2_q] <= sfu2_q;
    end
  end

  // ---------------------------------------------------------------- columns
  logic [5:0] col_q;
  logic promised_q;  // the bank is free already, and its last two columns leave now
  logic valid_q;

  wire full = full_q[drain_q];
  wire wide = wide_q[drain_q];
  wire sfu = sfu_q[drain_q];
  wire [6:0] left = cols_q[drain_q] - {1'b0, col_q};
  wire [4:0] room = sfu ? sfu_room_i : pt_room_i;
  wire [4:0] under_way = {4'd0, valid_q};
  wire has_room = room > under_way;
  wire go = full & (left != '0) & (promised_q | (has_room & ~hold_i));
  // The first row of the next block is written three cycles from now: then the last three columns have been read, if they have room.
  wire promise = go & (left == 7'd3) & (room > under_way + 5'd2);
  assign finish = full & ((left == '0) | (go & (left == 7'd1)));
  assign free = promise | (finish & ~promised_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      col_q <= '0;
      promised_q <= 1'b0;
      valid_q <= 1'b0;
    end else if (clear_i) begin
      col_q <= '0;
      promised_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      valid_q <= go;
      if (finish) col_q <= '0;
      else if (go) col_q <= col_q + 1'b1;
      if (finish) promised_q <= 1'b0;
      else if (promise) promised_q <= 1'b1;
    end
  end

  // ---------------------------------------------------------------- lanes
  logic [1023:0] wdata, rdata;
  logic [447:0] raddr;
  always_comb begin
    wdata = '0;
    if (v2_q) wdata = rotate(row_data_i, wide2_q ? {row2_q[4:0], 1'b0} : row2_q);
  end
  always_comb begin
    raddr = '0;
    if (go)
      for (int l = 0; l < 64; l++)
        raddr[7*l+:7] = {drain_q, wide ? {1'b0, 5'(l / 2) - col_q[4:0]} : 6'(l) - col_q};
  end
  sram_lanes #(
    .LANES (64),
    .WIDTH (16),
    .DEPTH (128)
  ) u_lanes (
    .clk_i,
    .rreq_i  (go),
    .raddr_i (raddr),
    .rdata_o (rdata),
    .wreq_i  (v2_q),
    .waddr_i ({bank2_q, row2_q}),
    .wdata_i (wdata)
  );

  logic [5:0] turn_q, rows3_q;
  logic [31:0] pad3_q;  // the missing elements of this column, twice if they have 16 bits
  logic wide3_q, sfu3_q;
  wire [31:0] pad = pad_q[drain_q];
  always_ff @(posedge clk_i) begin
    if (go) begin
      turn_q <= 6'd0 - (wide ? {col_q[4:0], 1'b0} : col_q);
      rows3_q <= rows_q[drain_q];
      pad3_q <= wide ? pad : {2{col_q[0] ? pad[31:16] : pad[15:0]}};
      wide3_q <= wide;
      sfu3_q <= sfu;
    end
  end
  always_comb begin
    data_o = '0;
    if (valid_q) begin
      data_o = rotate(rdata, turn_q);
      if (rows3_q != (wide3_q ? 6'd31 : 6'd63))
        for (int l = 0; l < 64; l++)
          if ((wide3_q ? 6'(l / 2) : 6'(l)) > rows3_q) data_o[16*l+:16] = pad3_q[16*(l%2)+:16];
    end
  end
  assign valid_o = valid_q;
  assign sfu_o = sfu3_q;

  assign busy_o = v1_q | v2_q | valid_q | (closed_q != '0) | (full_q != '0);
  assign stuck_o = full & (left != '0) & ~promised_q & ~has_room;
endmodule
`default_nettype wire
