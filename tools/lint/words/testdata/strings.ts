export const strings = {
  saved: "All changes are saved at once",
  created: "It is created",
  count: (n: number) => `${n} releases`,
  people: 'Members for whom this is new', // a comment
}
