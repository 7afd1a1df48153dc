/** What a page may cost. docs/dashboard.md says what they stand for. */
export const budgets = {
  requests: 6,
  dependent: 2,
  layoutShift: 0.05,
  rowsInDocument: 80,
  heapGrowth: 1.1,
};
