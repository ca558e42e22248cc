`default_nettype none
// Codes shared by the parts of MNI-LU and MNI-SU.
package mni_pkg;
  localparam logic [1:0] ITEM_ROW = 2'd0;   // a row, or a piece of one
  localparam logic [1:0] ITEM_POST = 2'd1;  // a token to post, in its place among the rows
  localparam logic [1:0] ITEM_TRAP = 2'd2;  // the end: a trap, in its place
endpackage
`default_nettype wire
