"""The two interface files that the paper on Ninf for distributed memory prints."""

DMMUL = """\
Define dmmul(long mode_in int n,
            mode_in double A[n][n],
            mode_in double B[n][n],
            mode_out double C[n][n])
"dmmul is matrix multiply for double precision",
/* このルーチンを含むオブジェクトモジュールの指定 */
Required "libxxx.o"
/* C の Calling convention を利用 */
Calls "C" dmmul(n,A,B,C);
"""

APLINPACK = """\
Module Aplinpack;
Library "aplinpack.o";

Define ap_dgefasl(
    mode_in distribute(BLOCK,BLOCK) \\
        double a[n][lda:n],
    mode_in int lda,
    mode_in int n,
    mode_in int ipvt[n],
    mode inout double b[n],
    mode_in int job)
"Gaussian elimination & Backward subst routine"
Calls ap_dgefasl(a,n,n,ipvt,b,job);
"""
