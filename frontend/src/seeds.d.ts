// Shapes of the seeds that are imported in part (see build/only.ts).
declare module '*/pages.json?only=key,path,title,menu' {
  const rows: { key: string; path: string | null; title: string; menu: string | null }[];
  export default rows;
}
declare module '*/services.json?in=pages&only=quote,preselect' {
  const rows: { quote: string; preselect: string }[];
  export default rows;
}
