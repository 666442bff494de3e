"""The header of the MPI standard's own binary interface, as far as a shim needs it.

The interface is the same for all MPI libraries that have it, so that a shim for it can be built
where none of them is. Its types and the values of its constants are fixed by MPI 5.0 (2025), the
chapter on the application binary interface and appendix A. generate.py writes the header.
"""

HANDLES = (
    "Comm Datatype Errhandler File Group Info Message Op Request Session T_cvar_handle T_enum Win"
).split()

NUMBERS = {
    "MPI_VERSION": 5,
    "MPI_SUBVERSION": 0,
    "MPI_ABI_VERSION": 1,
    "MPI_SUCCESS": 0,
    "MPI_ERR_TRUNCATE": 15,
    "MPI_ERR_IN_STATUS": 19,
    "MPI_ANY_SOURCE": -1,
    "MPI_ANY_TAG": -2,
    "MPI_PROC_NULL": -3,
    "MPI_ROOT": -4,
    "MPI_UNDEFINED": -32766,
    "MPI_THREAD_SINGLE": 0,
    "MPI_THREAD_FUNNELED": 1024,
    "MPI_THREAD_SERIALIZED": 2048,
    "MPI_THREAD_MULTIPLE": 4096,
    "MPI_CART": 211,
    "MPI_GRAPH": 212,
    "MPI_DIST_GRAPH": 213,
    "MPI_MAX_LIBRARY_VERSION_STRING": 8192,
    "MPI_MAX_OBJECT_NAME": 128,
    "MPI_MAX_ERROR_STRING": 512,
    "MPI_COMM_TYPE_SHARED": 221,
}
# Handles and addresses, by type: what is converted to it.
POINTERS = {
    "MPI_Comm": {"MPI_COMM_NULL": 0x100, "MPI_COMM_WORLD": 0x101, "MPI_COMM_SELF": 0x102},
    "MPI_Group": {"MPI_GROUP_NULL": 0x108},
    "MPI_Win": {"MPI_WIN_NULL": 0x110},
    "MPI_Info": {"MPI_INFO_NULL": 0x130},
    "MPI_Errhandler": {"MPI_ERRHANDLER_NULL": 0x140, "MPI_ERRORS_RETURN": 0x143},
    "MPI_Request": {"MPI_REQUEST_NULL": 0x180},
    "MPI_T_enum": {"MPI_T_ENUM_NULL": 0},
    "MPI_Op": {
        "MPI_OP_NULL": 0x20,
        "MPI_SUM": 0x21,
        "MPI_MIN": 0x22,
        "MPI_MAX": 0x23,
        "MPI_PROD": 0x24,
        "MPI_BAND": 0x28,
        "MPI_BOR": 0x29,
        "MPI_BXOR": 0x2A,
        "MPI_LAND": 0x30,
        "MPI_LOR": 0x31,
        "MPI_LXOR": 0x32,
    },
    "MPI_Datatype": {
        "MPI_DATATYPE_NULL": 0x200,
        "MPI_AINT": 0x201,
        "MPI_COUNT": 0x202,
        "MPI_OFFSET": 0x203,
        "MPI_PACKED": 0x207,
        "MPI_SHORT": 0x208,
        "MPI_INT": 0x209,
        "MPI_LONG": 0x20A,
        "MPI_LONG_LONG": 0x20B,
        "MPI_UNSIGNED_SHORT": 0x20C,
        "MPI_UNSIGNED": 0x20D,
        "MPI_UNSIGNED_LONG": 0x20E,
        "MPI_UNSIGNED_LONG_LONG": 0x20F,
        "MPI_FLOAT": 0x210,
        "MPI_DOUBLE": 0x214,
        "MPI_INTEGER": 0x219,
        "MPI_REAL": 0x21A,
        "MPI_DOUBLE_PRECISION": 0x21C,
        "MPI_CHARACTER": 0x21E,
        "MPI_INT8_T": 0x240,
        "MPI_UINT8_T": 0x241,
        "MPI_CHAR": 0x243,
        "MPI_SIGNED_CHAR": 0x244,
        "MPI_UNSIGNED_CHAR": 0x245,
        "MPI_BYTE": 0x247,
        "MPI_INT16_T": 0x248,
        "MPI_UINT16_T": 0x249,
        "MPI_INT32_T": 0x250,
        "MPI_UINT32_T": 0x251,
        "MPI_INT64_T": 0x258,
        "MPI_UINT64_T": 0x259,
    },
    "void*": {"MPI_BOTTOM": 0, "MPI_IN_PLACE": 1},
    "MPI_Status*": {"MPI_STATUS_IGNORE": 0, "MPI_STATUSES_IGNORE": 0},
}

TYPES = """\
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef struct {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;
"""

# What the shim calls beside the functions that it wraps.
FURTHER = (
    "int PMPI_Cartdim_get(MPI_Comm comm, int* ndims)",
    "int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)",
    "int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler)",
    "int PMPI_Comm_get_name(MPI_Comm comm, char* comm_name, int* resultlen)",
    "int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group)",
    "int PMPI_Comm_rank(MPI_Comm comm, int* rank)",
    "int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group)",
    "int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)",
    "int PMPI_Comm_size(MPI_Comm comm, int* size)",
    "int PMPI_Comm_test_inter(MPI_Comm comm, int* flag)",
    "int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int* in, int* out, int* weighted)",
    "int PMPI_Errhandler_free(MPI_Errhandler* errhandler)",
    "int PMPI_Error_class(int errorcode, int* errorclass)",
    "int PMPI_Error_string(int errorcode, char* string, int* resultlen)",
    "int PMPI_Finalized(int* flag)",
    "int PMPI_Get_elements_x(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count)",
    "int PMPI_Get_library_version(char* version, int* resultlen)",
    "int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors)",
    "int PMPI_Grequest_complete(MPI_Request request)",
    "int PMPI_Grequest_start(int (*query)(void*, MPI_Status*), int (*free)(void*),"
    " int (*cancel)(void*, int), void* state, MPI_Request* request)",
    "int PMPI_Group_free(MPI_Group* group)",
    "int PMPI_Group_size(MPI_Group group, int* size)",
    "int PMPI_Group_translate_ranks(MPI_Group one, int n, const int a[], MPI_Group two, int b[])",
    "int PMPI_Initialized(int* flag)",
    "int PMPI_Pack(const void* in, int count, MPI_Datatype type, void* out, int size, int* at,"
    " MPI_Comm comm)",
    "int PMPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size)",
    "int PMPI_Query_thread(int* provided)",
    "int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status)",
    "int PMPI_T_cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity,"
    " MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind,"
    " int* scope)",
    "int PMPI_T_cvar_get_num(int* num_cvar)",
    "int PMPI_T_cvar_handle_alloc(int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle,"
    " int* count)",
    "int PMPI_T_cvar_handle_free(MPI_T_cvar_handle* handle)",
    "int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void* buf)",
    "int PMPI_T_enum_get_info(MPI_T_enum enumtype, int* num, char* name, int* name_len)",
    "int PMPI_T_enum_get_item(MPI_T_enum enumtype, int index, int* value, char* name,"
    " int* name_len)",
    "int PMPI_T_init_thread(int required, int* provided)",
    "int PMPI_Test_cancelled(const MPI_Status* status, int* flag)",
    "int PMPI_Topo_test(MPI_Comm comm, int* status)",
    "int PMPI_Type_commit(MPI_Datatype* datatype)",
    "int PMPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made)",
    "int PMPI_Type_create_struct(int count, const int counts[], const MPI_Aint begins[],"
    " const MPI_Datatype types[], MPI_Datatype* made)",
    "int PMPI_Type_free(MPI_Datatype* datatype)",
    "int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent)",
    "int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent)",
    "int PMPI_Type_size(MPI_Datatype datatype, int* size)",
    "int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count* size)",
    "int PMPI_Unpack(const void* in, int size, int* at, void* out, int count, MPI_Datatype type,"
    " MPI_Comm comm)",
    "int PMPI_Win_get_group(MPI_Win win, MPI_Group* group)",
    "MPI_Comm PMPI_Comm_fromint(int comm)",
    "MPI_Message PMPI_Message_fromint(int message)",
    "int PMPI_Message_toint(MPI_Message message)",
    "MPI_Op PMPI_Op_fromint(int op)",
    "MPI_Datatype PMPI_Type_fromint(int datatype)",
    "MPI_Request PMPI_Request_fromint(int request)",
    "int PMPI_Request_toint(MPI_Request request)",
    "MPI_Win PMPI_Win_fromint(int win)",
)

# The interface has no functions for Fortran: handles are converted as integers, and Fortran's
# status is C's.
FORTRAN = """\
typedef int MPI_Fint;
static inline MPI_Comm PMPI_Comm_f2c(MPI_Fint comm) { return PMPI_Comm_fromint(comm); }
static inline MPI_Datatype PMPI_Type_f2c(MPI_Fint type) { return PMPI_Type_fromint(type); }
static inline MPI_Op PMPI_Op_f2c(MPI_Fint op) { return PMPI_Op_fromint(op); }
static inline MPI_Win PMPI_Win_f2c(MPI_Fint win) { return PMPI_Win_fromint(win); }
static inline MPI_Request PMPI_Request_f2c(MPI_Fint request) {
  return PMPI_Request_fromint(request);
}
static inline MPI_Fint PMPI_Request_c2f(MPI_Request request) {
  return PMPI_Request_toint(request);
}
static inline MPI_Message PMPI_Message_f2c(MPI_Fint message) {
  return PMPI_Message_fromint(message);
}
static inline MPI_Fint PMPI_Message_c2f(MPI_Message message) {
  return PMPI_Message_toint(message);
}
static inline int PMPI_Status_f2c(const MPI_Fint* fortran, MPI_Status* status) {
  memcpy(status, fortran, sizeof *status);
  return MPI_SUCCESS;
}
static inline int PMPI_Status_c2f(const MPI_Status* status, MPI_Fint* fortran) {
  memcpy(fortran, status, sizeof *status);
  return MPI_SUCCESS;
}
"""


def constants() -> dict[str, str]:
    """Returns the constants that the header defines, each with the text that it stands for."""
    pointers = {
        name: f"(({kind}){value:#x})"
        for kind, values in POINTERS.items()
        for name, value in values.items()
    }
    return {name: f"({value})" for name, value in NUMBERS.items()} | pointers


def header(head: str, prototypes: list[str]) -> str:
    """Returns the header with `prototypes` of the wrapped functions, each without its semicolon."""
    return "\n".join(
        [
            head + "#pragma once\n",
            "#include <stdint.h>",
            "#include <string.h>\n",
            'extern "C" {',
            *(f"typedef struct MPI_ABI_{name}* MPI_{name};" for name in HANDLES),
            TYPES,
            *(f"#define {name} {text}" for name, text in constants().items()),
            "",
            *(f"{prototype};" for prototype in (*FURTHER, *prototypes)),
            "}\n",
            FORTRAN,
        ]
    )
