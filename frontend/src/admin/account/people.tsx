// placeholder
export function People() {
  return null;
}
