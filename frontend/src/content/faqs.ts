// The FAQ, from seeds/site/faqs.json. The server reads the same file for structured data.
import seed from '@seeds/site/faqs.json';
import { filled } from './filled';

export const faqs = /* @__PURE__ */ filled(seed);
