// What was typed into a note, a call or a reply and not sent yet: kept while the dashboard is open,
// so that reading another request loses nothing. In memory only, since it is about customers.

const drafts = new Map<string, Record<string, string>>();

export function readDraft(request: string, form: string): Record<string, string> {
  return drafts.get(`${request} ${form}`) ?? {};
}

export function keepDraft(request: string, form: string, values: Record<string, string>) {
  drafts.set(`${request} ${form}`, values);
}

export function forgetDraft(request: string, form: string) {
  drafts.delete(`${request} ${form}`);
}
