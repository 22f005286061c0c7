// Where visits come from, in words.

/** The sources of requests. */
export const sourceNames: Record<string, string> = {
  direct: 'Direct or unknown',
  search: 'Search engines',
  social: 'Social networks',
  website: 'Other websites',
  ad: 'Advertisements',
  email: 'Email campaigns',
  campaign: 'Other campaigns',
  phone: 'Phone',
};
