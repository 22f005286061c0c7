// The FAQ, from seeds/site/faqs.json. The server reads the same file for structured data.
import faqs from '@seeds/site/faqs.json';

export { faqs };
