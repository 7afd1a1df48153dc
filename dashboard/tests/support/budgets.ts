/** What a page may cost. docs/dashboard.md says what they stand for. */
export const budgets = {
  requests: 6,
  dependent: 2,
  layoutShift: 0.05,
  loopbackPaint: 800,
  slowPaint: 2_500,
  rowsInDocument: 80,
  search: 1_000,
  heapGrowth: 1.1,
};
