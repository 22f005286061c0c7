// How a number is counted, behind an "i" beside its name.
import { Popover } from '../ui/popover';

export function How({ of, text }: { of: string; text: string }) {
  return (
    <Popover
      className="how"
      summary={
        <>
          <span aria-hidden="true">i</span>
          <span className="visually-hidden">How it is counted: {of}</span>
        </>
      }
    >
      <p className="card-how">{text}</p>
    </Popover>
  );
}
