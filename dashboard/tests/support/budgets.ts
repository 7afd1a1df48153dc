/** Maximum costs of a page. docs/contribute/dashboard.md explains them. */
export const budgets = {
  requests: 6,
  dependent: 2,
  layoutShift: 0.05,
  rowsInDocument: 80,
  heapGrowth: 1.1,
};
