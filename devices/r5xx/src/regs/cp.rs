//! Registers of the command processor, and those that streams write and the list of 3D registers lacks.
//!
//! SCRATCH, WAIT_UNTIL and the z-mask and colour-mask registers are not in the manual: addresses and names are those of
//! public drivers.

super::registers! {
    pub(super) TABLE:
    CP_RB_BASE = 0x700 { RB_BASE [31:2] "address of the ring" }
    CP_RB_CNTL = 0x704 {
        RB_BUFSZ [5:0] "log2 of the ring's quadwords; 0 and 1 are 8 dwords",
        RB_BLKSZ [13:8] "log2 of the quadwords between updates of the read pointer in memory",
        BUF_SWAP [17:16] "0 none; 1 byte swap in 16b; 2 byte swap in 32b; 3 swap 16b halves",
        MAX_FETCH [19:18] "largest fetch",
        RB_NO_UPDATE [27:27] "1 = the read pointer is not written to memory",
        RB_RPTR_WR_ENA [31:31] "1 = CP_RB_RPTR_WR sets the read pointer",
    }
    CP_RB_RPTR_ADDR = 0x70c {
        RB_RPTR_SWAP [1:0] "0 none; 1 byte swap in 16b; 2 byte swap in 32b; 3 swap 16b halves",
        RB_RPTR_ADDR [31:2] "where the read pointer is written",
    }
    CP_RB_RPTR = 0x710 { RB_RPTR [22:0] "read pointer in dwords" }
    CP_RB_WPTR = 0x714 { RB_WPTR [22:0] "write pointer in dwords" }
    CP_RB_WPTR_DELAY = 0x718 {
        PRE_WRITE_TIMER [27:0] "clocks before a write pointer takes effect",
        PRE_WRITE_LIMIT [31:28] "writes before it takes effect",
    }
    CP_RB_RPTR_WR = 0x71c { RB_RPTR_WR [22:0] "read pointer to set" }
    CP_GUI_SRC_ADDR = 0x720 { SRC_ADDR [31:0] "source of a copy" }
    CP_GUI_DST_ADDR = 0x724 { DST_ADDR [31:0] "destination of a copy" }
    CP_GUI_COMMAND = 0x728 {
        BYTE_COUNT [20:0] "bytes to copy; the write starts it",
        SRC_SWAP [23:22] "0 none; 1 byte swap in 16b; 2 byte swap in 32b; 3 swap 16b halves",
        DST_SWAP [25:24] "0 none; 1 byte swap in 16b; 2 byte swap in 32b; 3 swap 16b halves",
        SAS [26:26] "source address space",
        DAS [27:27] "destination address space",
        SAIC [28:28] "1 = the source does not advance",
        DAIC [29:29] "1 = the destination does not advance",
        INTDIS [30:30] "1 = no interrupt",
        EOL [31:31] "1 = last of the list",
    }
    CP_IB2_BASE = 0x730 { IB2_BASE [31:2] "address of indirect buffer 2" }
    CP_IB2_BUFSZ = 0x734 { IB2_BUFSZ [22:0] "dwords of indirect buffer 2; the write starts it" }
    CP_IB_BASE = 0x738 { IB_BASE [31:2] "address of indirect buffer 1" }
    CP_IB_BUFSZ = 0x73c { IB_BUFSZ [22:0] "dwords of indirect buffer 1; the write starts it" }
    CP_CSQ_CNTL = 0x740 { CSQ_MODE [31:28] "modes of the streams" }
    CP_CSQ_MODE = 0x744 { INDIRECT2_START [6:0] "where indirect stream 2 begins in the queue" }
    CP_RESYNC_ADDR = 0x778 { RESYNC_ADDR [31:0] "scratch register that CB's finish writes" }
    CP_RESYNC_DATA = 0x77c { RESYNC_DATA [31:0] "what it writes" }
    CP_STAT = 0x7c0 { CP_BUSY [31:31] "1 = busy" }
    CP_ME_RAM_ADDR = 0x7d4 { ME_RAM_ADDR [7:0] "entry of the microcode that is written" }
    CP_ME_RAM_RADDR = 0x7d8 { ME_RAM_RADDR [7:0] "entry of the microcode that is read" }
    CP_ME_RAM_DATAH = 0x7dc { ME_RAM_DATAH [31:0] "high word of the entry" }
    CP_ME_RAM_DATAL = 0x7e0 { ME_RAM_DATAL [31:0] "low word of the entry" }
    SCRATCH_REG "SCRATCH_REG[0-7]" = 0x15e0 [8; 4] { SCRATCH [31:0] "copied to memory when written" }
    SCRATCH_UMSK = 0x770 { UMSK [7:0] "scratch registers that are copied, a bit each" }
    SCRATCH_ADDR = 0x774 { ADDR [31:5] "where scratch register 0 is copied" }
    DST_PIPE_CONFIG = 0x170c { PIPE_AUTO_CONFIG [31:31] "1 = the 2D engine finds the pipes itself" }
    WAIT_UNTIL = 0x1720 { CONDITIONS [31:0] "engines that must be idle before the stream goes on" }
    RB2D_DSTCACHE_MODE = 0x3428 { DC_BYPASS [31:0] "modes of the 2D cache" }
    RB2D_DSTCACHE_CTLSTAT = 0x342c {
        DC_FLUSH [1:0] "2 or 3 = write back dirty lines",
        DC_FREE [3:2] "2 or 3 = invalidate tags",
        DC_BUSY [31:31] "1 = busy",
    }
    VAP_VSM_VTX_ASSM = 0x2184 { INPUTS [31:0] "vertex attributes that exist" }
    RB3D_CMASK_OFFSET "RB3D_CMASK_OFFSET[0-3]" = 0x4e54 [4; 4] { CMASK_OFFSET [31:0] "first entry of the colour mask" }
    RB3D_CMASK_PITCH "RB3D_CMASK_PITCH[0-3]" = 0x4e64 [4; 4] { CMASK_PITCH [31:0] "pitch of the colour mask" }
    RB3D_CMASK_WRINDEX = 0x4e74 { WRINDEX [31:0] "entry of the colour mask that is written" }
    RB3D_CMASK_DWORD = 0x4e78 { DWORD [31:0] "what is written" }
    ZB_ZMASK_OFFSET = 0x4f30 { ZMASK_OFFSET [31:0] "first entry of the z mask" }
    ZB_ZMASK_PITCH = 0x4f34 { ZMASK_PITCH [31:0] "pitch of the z mask" }
    ZB_ZMASK_WRINDEX = 0x4f38 { WRINDEX [31:0] "entry of the z mask that is written" }
    ZB_ZMASK_DWORD = 0x4f3c { DWORD [31:0] "what is written" }
}
