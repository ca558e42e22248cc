// The instructions of the management processor: RV32IM, Zicsr, Zifencei, machine mode. Written down
// from the architecture, independently of the decoders that are tested with it.
#ifndef STP_RV_INSNS_H
#define STP_RV_INSNS_H

#include <cstdint>

struct rv_insn {
  const char *name;
  uint32_t mask, match;
};

constexpr rv_insn rv_insns[] = {
    {"lui", 0x0000007f, 0x00000037},     {"auipc", 0x0000007f, 0x00000017},
    {"jal", 0x0000007f, 0x0000006f},     {"jalr", 0x0000707f, 0x00000067},
    {"beq", 0x0000707f, 0x00000063},     {"bne", 0x0000707f, 0x00001063},
    {"blt", 0x0000707f, 0x00004063},     {"bge", 0x0000707f, 0x00005063},
    {"bltu", 0x0000707f, 0x00006063},    {"bgeu", 0x0000707f, 0x00007063},
    {"lb", 0x0000707f, 0x00000003},      {"lh", 0x0000707f, 0x00001003},
    {"lw", 0x0000707f, 0x00002003},      {"lbu", 0x0000707f, 0x00004003},
    {"lhu", 0x0000707f, 0x00005003},     {"sb", 0x0000707f, 0x00000023},
    {"sh", 0x0000707f, 0x00001023},      {"sw", 0x0000707f, 0x00002023},
    {"addi", 0x0000707f, 0x00000013},    {"slti", 0x0000707f, 0x00002013},
    {"sltiu", 0x0000707f, 0x00003013},   {"xori", 0x0000707f, 0x00004013},
    {"ori", 0x0000707f, 0x00006013},     {"andi", 0x0000707f, 0x00007013},
    {"slli", 0xfe00707f, 0x00001013},    {"srli", 0xfe00707f, 0x00005013},
    {"srai", 0xfe00707f, 0x40005013},    {"add", 0xfe00707f, 0x00000033},
    {"sub", 0xfe00707f, 0x40000033},     {"sll", 0xfe00707f, 0x00001033},
    {"slt", 0xfe00707f, 0x00002033},     {"sltu", 0xfe00707f, 0x00003033},
    {"xor", 0xfe00707f, 0x00004033},     {"srl", 0xfe00707f, 0x00005033},
    {"sra", 0xfe00707f, 0x40005033},     {"or", 0xfe00707f, 0x00006033},
    {"and", 0xfe00707f, 0x00007033},     {"mul", 0xfe00707f, 0x02000033},
    {"mulh", 0xfe00707f, 0x02001033},    {"mulhsu", 0xfe00707f, 0x02002033},
    {"mulhu", 0xfe00707f, 0x02003033},   {"div", 0xfe00707f, 0x02004033},
    {"divu", 0xfe00707f, 0x02005033},    {"rem", 0xfe00707f, 0x02006033},
    {"remu", 0xfe00707f, 0x02007033},    {"fence", 0x0000707f, 0x0000000f},
    {"fence.i", 0x0000707f, 0x0000100f}, {"ecall", 0xffffffff, 0x00000073},
    {"ebreak", 0xffffffff, 0x00100073},  {"mret", 0xffffffff, 0x30200073},
    {"wfi", 0xffffffff, 0x10500073},     {"csrrw", 0x0000707f, 0x00001073},
    {"csrrs", 0x0000707f, 0x00002073},   {"csrrc", 0x0000707f, 0x00003073},
    {"csrrwi", 0x0000707f, 0x00005073},  {"csrrsi", 0x0000707f, 0x00006073},
    {"csrrci", 0x0000707f, 0x00007073},
};
constexpr int rv_insn_count = sizeof rv_insns / sizeof rv_insns[0];

// Index of the instruction that a word is, -1: none.
inline int rv_find_insn(uint32_t word) {
  for (int i = 0; i < rv_insn_count; i++)
    if ((word & rv_insns[i].mask) == rv_insns[i].match) return i;
  return -1;
}

#endif
