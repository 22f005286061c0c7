// Titles with a sentence or two each, such as the steps of hiring.
import { marked } from '../ui/marked';

type Fact = { title: string; text: string };

export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl className={of.length % 3 ? 'split questions' : 'thirds questions'}>
      {of.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{marked(text)}</dd>
        </div>
      ))}
    </dl>
  );
}
