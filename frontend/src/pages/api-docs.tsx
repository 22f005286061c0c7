// The reference of the JSON API.
import { PlainPage } from '../sections/plain-page';

export default function ApiDocs() {
  return <PlainPage title="API reference" lead="Every call of this site’s JSON API." children={null} />;
}
