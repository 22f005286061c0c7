// What an applicant has ready, beside the form.
import { careers } from '../content/office';
import { Checklist } from '../ui/checklist';

export default function CareersReady() {
  return (
    <>
      <h3>What to have ready</h3>
      <Checklist items={careers.bring} />
    </>
  );
}
