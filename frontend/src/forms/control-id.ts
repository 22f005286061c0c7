/**
 * The id of a field's control. It is prefixed because the element `company` holds the company data
 * (see company.ts).
 */
export function controlId(name: string): string {
  return `field-${name}`;
}
