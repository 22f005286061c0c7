// The button that saves figures as a file.
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { saveFile } from '../ui/save-file';
import { errorMessage } from '../ui/use-submit';

type Props = {
  /** What the file is about, for readers of screens. */
  about: string;
  /** What the button says. */
  label: string;
  /** The name of the file. */
  name: string;
  read(token: string): Promise<Blob>;
};

export function SaveButton({ about, label, name, read }: Props) {
  const { manager } = useAuth();
  async function save() {
    try {
      saveFile(await manager.withToken(read), name);
    } catch (error) {
      toast({ title: 'Not saved', detail: errorMessage(error), destructive: true });
    }
  }
  return (
    <Button look="line" className="button-small table-file" aria-label={`${label}: ${about}`} onClick={save}>
      {label}
    </Button>
  );
}
