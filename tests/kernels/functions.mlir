// Every function of the machine in every float type, summed in f32: h, b and f are the sums of the f16, bf16 and f32 results.
#all = affine_set<(d0) : (d0 >= 0, -d0 + 1535 >= 0)>
#tile = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>
#order = affine_map<(d0) -> (d0)>
func.func @functions(%x: index, %h: index, %b: index, %f: index) attributes {grid = [3]} {
  %size = arith.constant 512 : index
  %id = ktdp.get_compute_tile_id : index
  %start = arith.muli %id, %size : index
  %x_view = ktdp.construct_memory_view %x, sizes: [1536], strides: [1] {
    coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<1536xf16>
  %x_tile = ktdp.construct_access_tile %x_view[%start] {
    access_tile_set = #tile, access_tile_order = #order } : memref<1536xf16> -> !ktdp.access_tile<512xindex>
  %h_view = ktdp.construct_memory_view %h, sizes: [1536], strides: [1] {
    coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<1536xf32>
  %h_tile = ktdp.construct_access_tile %h_view[%start] {
    access_tile_set = #tile, access_tile_order = #order } : memref<1536xf32> -> !ktdp.access_tile<512xindex>
  %b_view = ktdp.construct_memory_view %b, sizes: [1536], strides: [1] {
    coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<1536xf32>
  %b_tile = ktdp.construct_access_tile %b_view[%start] {
    access_tile_set = #tile, access_tile_order = #order } : memref<1536xf32> -> !ktdp.access_tile<512xindex>
  %f_view = ktdp.construct_memory_view %f, sizes: [1536], strides: [1] {
    coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<1536xf32>
  %f_tile = ktdp.construct_access_tile %f_view[%start] {
    access_tile_set = #tile, access_tile_order = #order } : memref<1536xf32> -> !ktdp.access_tile<512xindex>
  %v = ktdp.load %x_tile : !ktdp.access_tile<512xindex> -> tensor<512xf16>
  %four = arith.constant dense<4.0> : tensor<512xf16>
  %hw = arith.mulf %v, %four : tensor<512xf16>
  %fw = arith.extf %hw : tensor<512xf16> to tensor<512xf32>
  %bw = arith.truncf %fw : tensor<512xf32> to tensor<512xbf16>

  // f16: functions of any number take w, those of positive ones a = |w| + 1/4.
  %hsmall = arith.constant dense<0.25> : tensor<512xf16>
  %habs = math.absf %hw : tensor<512xf16>
  %ha = arith.addf %habs, %hsmall : tensor<512xf16>
  %hempty = tensor.empty() : tensor<512xf16>
  %h0 = linalg.reciprocal ins(%ha : tensor<512xf16>) outs(%hempty : tensor<512xf16>) -> tensor<512xf16>
  %he0 = arith.extf %h0 : tensor<512xf16> to tensor<512xf32>
  %h1 = math.exp %hw : tensor<512xf16>
  %he1 = arith.extf %h1 : tensor<512xf16> to tensor<512xf32>
  %hs1 = arith.addf %he0, %he1 : tensor<512xf32>
  %h2 = math.exp2 %hw : tensor<512xf16>
  %he2 = arith.extf %h2 : tensor<512xf16> to tensor<512xf32>
  %hs2 = arith.addf %hs1, %he2 : tensor<512xf32>
  %h3 = math.log %ha : tensor<512xf16>
  %he3 = arith.extf %h3 : tensor<512xf16> to tensor<512xf32>
  %hs3 = arith.addf %hs2, %he3 : tensor<512xf32>
  %h4 = math.log2 %ha : tensor<512xf16>
  %he4 = arith.extf %h4 : tensor<512xf16> to tensor<512xf32>
  %hs4 = arith.addf %hs3, %he4 : tensor<512xf32>
  %h5 = math.sqrt %ha : tensor<512xf16>
  %he5 = arith.extf %h5 : tensor<512xf16> to tensor<512xf32>
  %hs5 = arith.addf %hs4, %he5 : tensor<512xf32>
  %h6 = math.rsqrt %ha : tensor<512xf16>
  %he6 = arith.extf %h6 : tensor<512xf16> to tensor<512xf32>
  %hs6 = arith.addf %hs5, %he6 : tensor<512xf32>
  %h7 = math.tanh %hw : tensor<512xf16>
  %he7 = arith.extf %h7 : tensor<512xf16> to tensor<512xf32>
  %hs7 = arith.addf %hs6, %he7 : tensor<512xf32>
  %h8 = math.erf %hw : tensor<512xf16>
  %he8 = arith.extf %h8 : tensor<512xf16> to tensor<512xf32>
  %hs8 = arith.addf %hs7, %he8 : tensor<512xf32>
  %h9 = math.sin %hw : tensor<512xf16>
  %he9 = arith.extf %h9 : tensor<512xf16> to tensor<512xf32>
  %hs9 = arith.addf %hs8, %he9 : tensor<512xf32>
  %h10 = math.cos %hw : tensor<512xf16>
  %he10 = arith.extf %h10 : tensor<512xf16> to tensor<512xf32>
  %hs10 = arith.addf %hs9, %he10 : tensor<512xf32>
  ktdp.store %hs10, %h_tile : tensor<512xf32>, !ktdp.access_tile<512xindex>

  // bf16: functions of any number take w, those of positive ones a = |w| + 1/4.
  %bsmall = arith.constant dense<0.25> : tensor<512xbf16>
  %babs = math.absf %bw : tensor<512xbf16>
  %ba = arith.addf %babs, %bsmall : tensor<512xbf16>
  %bempty = tensor.empty() : tensor<512xbf16>
  %b0 = linalg.reciprocal ins(%ba : tensor<512xbf16>) outs(%bempty : tensor<512xbf16>) -> tensor<512xbf16>
  %be0 = arith.extf %b0 : tensor<512xbf16> to tensor<512xf32>
  %b1 = math.exp %bw : tensor<512xbf16>
  %be1 = arith.extf %b1 : tensor<512xbf16> to tensor<512xf32>
  %bs1 = arith.addf %be0, %be1 : tensor<512xf32>
  %b2 = math.exp2 %bw : tensor<512xbf16>
  %be2 = arith.extf %b2 : tensor<512xbf16> to tensor<512xf32>
  %bs2 = arith.addf %bs1, %be2 : tensor<512xf32>
  %b3 = math.log %ba : tensor<512xbf16>
  %be3 = arith.extf %b3 : tensor<512xbf16> to tensor<512xf32>
  %bs3 = arith.addf %bs2, %be3 : tensor<512xf32>
  %b4 = math.log2 %ba : tensor<512xbf16>
  %be4 = arith.extf %b4 : tensor<512xbf16> to tensor<512xf32>
  %bs4 = arith.addf %bs3, %be4 : tensor<512xf32>
  %b5 = math.sqrt %ba : tensor<512xbf16>
  %be5 = arith.extf %b5 : tensor<512xbf16> to tensor<512xf32>
  %bs5 = arith.addf %bs4, %be5 : tensor<512xf32>
  %b6 = math.rsqrt %ba : tensor<512xbf16>
  %be6 = arith.extf %b6 : tensor<512xbf16> to tensor<512xf32>
  %bs6 = arith.addf %bs5, %be6 : tensor<512xf32>
  %b7 = math.tanh %bw : tensor<512xbf16>
  %be7 = arith.extf %b7 : tensor<512xbf16> to tensor<512xf32>
  %bs7 = arith.addf %bs6, %be7 : tensor<512xf32>
  %b8 = math.erf %bw : tensor<512xbf16>
  %be8 = arith.extf %b8 : tensor<512xbf16> to tensor<512xf32>
  %bs8 = arith.addf %bs7, %be8 : tensor<512xf32>
  %b9 = math.sin %bw : tensor<512xbf16>
  %be9 = arith.extf %b9 : tensor<512xbf16> to tensor<512xf32>
  %bs9 = arith.addf %bs8, %be9 : tensor<512xf32>
  %b10 = math.cos %bw : tensor<512xbf16>
  %be10 = arith.extf %b10 : tensor<512xbf16> to tensor<512xf32>
  %bs10 = arith.addf %bs9, %be10 : tensor<512xf32>
  ktdp.store %bs10, %b_tile : tensor<512xf32>, !ktdp.access_tile<512xindex>

  // f32: functions of any number take w, those of positive ones a = |w| + 1/4.
  %fsmall = arith.constant dense<0.25> : tensor<512xf32>
  %fabs = math.absf %fw : tensor<512xf32>
  %fa = arith.addf %fabs, %fsmall : tensor<512xf32>
  %fempty = tensor.empty() : tensor<512xf32>
  %f0 = linalg.reciprocal ins(%fa : tensor<512xf32>) outs(%fempty : tensor<512xf32>) -> tensor<512xf32>
  %f1 = math.exp %fw : tensor<512xf32>
  %fs1 = arith.addf %f0, %f1 : tensor<512xf32>
  %f2 = math.exp2 %fw : tensor<512xf32>
  %fs2 = arith.addf %fs1, %f2 : tensor<512xf32>
  %f3 = math.log %fa : tensor<512xf32>
  %fs3 = arith.addf %fs2, %f3 : tensor<512xf32>
  %f4 = math.log2 %fa : tensor<512xf32>
  %fs4 = arith.addf %fs3, %f4 : tensor<512xf32>
  %f5 = math.sqrt %fa : tensor<512xf32>
  %fs5 = arith.addf %fs4, %f5 : tensor<512xf32>
  %f6 = math.rsqrt %fa : tensor<512xf32>
  %fs6 = arith.addf %fs5, %f6 : tensor<512xf32>
  %f7 = math.tanh %fw : tensor<512xf32>
  %fs7 = arith.addf %fs6, %f7 : tensor<512xf32>
  %f8 = math.erf %fw : tensor<512xf32>
  %fs8 = arith.addf %fs7, %f8 : tensor<512xf32>
  %f9 = math.sin %fw : tensor<512xf32>
  %fs9 = arith.addf %fs8, %f9 : tensor<512xf32>
  %f10 = math.cos %fw : tensor<512xf32>
  %fs10 = arith.addf %fs9, %f10 : tensor<512xf32>
  ktdp.store %fs10, %f_tile : tensor<512xf32>, !ktdp.access_tile<512xindex>
  return
}
