// Types of seeds that are imported in part (see build/json-pick.ts).
declare module '*/pages.json?pick=path' {
  const paths: (string | null)[];
  export default paths;
}
declare module '*/pages.json?pick=key,path,menu' {
  const rows: { key: string; path: string | null; menu: string | null }[];
  export default rows;
}
declare module '*/pages.json?pick=key,title' {
  const rows: { key: string; title: string }[];
  export default rows;
}
declare module '*/services.json?in=pages&pick=quote,preselect&differ=quote,preselect' {
  const rows: { quote: string; preselect: string }[];
  export default rows;
}
declare module '*/company.json?in=stats&pick=value,label,on_states' {
  const rows: { value: string; label: string; on_states?: boolean | null }[];
  export default rows;
}
// Rendered at build time (see build/states.ts).
declare module 'virtual:us-map' {
  const map: {
    width: number;
    height: number;
    states: { slug: string; name: string; code: string }[];
  };
  export default map;
}
declare module 'virtual:us-shapes' {
  /** The states' paths on the map, by their codes. */
  const shapes: Record<string, string>;
  export default shapes;
}
declare module 'virtual:states' {
  type Seed = import('./content/states').StateSeed;
  type Near = { slug: string; name: string };
  /** A state's data with its outline and the nearest states: its neighbors, if it borders any. */
  export type StateFacts = Omit<Seed, 'neighbors'> & {
    borders: boolean;
    nearest: Near[];
    outline: { d: string; width: number; height: number; lights: [number, number][] };
  };
  const loaders: Record<string, () => Promise<{ default: StateFacts }>>;
  export default loaders;
}
declare module '*/states.json?pick=slug,name,code' {
  const rows: { slug: string; name: string; code: string }[];
  export default rows;
}
declare module '*/states.json?pick=slug,name,code,licensing' {
  type Seed = import('./content/states').StateSeed;
  const rows: Pick<Seed, 'slug' | 'name' | 'code' | 'licensing'>[];
  export default rows;
}
// `subset-font` publishes no types; these cover what build/fonts.ts uses.
declare module 'subset-font' {
  type Axis = number | { min: number; max: number };
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2' | 'truetype';
      variationAxes: Record<string, Axis>;
      keepFeatures?: string[];
    },
  ): Promise<Buffer>;
}
// The API description, reduced (see build/api-docs.ts).
declare module 'virtual:api-docs' {
  type Kind = { type: string; schema?: string; many?: boolean };
  type Named = Kind & { name: string; required: boolean; description: string };
  export type ApiOperation = {
    path: string;
    method: string;
    id: string;
    summary: string;
    description: string;
    secured: boolean;
    parameters: (Named & { place: string })[];
    body?: Kind;
    answers: { status: string; text: string; body?: Kind }[];
    errors: { status: string; text: string }[];
  };
  export type ApiSchema = { name: string; description: string; values: string[]; fields: Named[] };
  /** What one reference page shows. */
  export type ApiReference = {
    errors: { status: string; text: string }[];
    groups: { name: string; description: string; operations: ApiOperation[] }[];
    schemas: ApiSchema[];
  };
  const docs: { version: string; pages: Record<string, ApiReference> };
  export default docs;
  export type { Kind as ApiKind, Named as ApiNamed };
}
