export declare const facts: Record<string, string | Record<string, string>>;
export declare function fillFacts(html: string): string;
