// What happens after a visitor sends the contact form, and where the office is.
import { profile } from '../../content/profile';
import { Rows } from '../rows';
import { Section } from '../section';
import { Office } from './office';

export default function AfterYouWrite() {
  return (
    <>
      <Section id="after" kicker="After you write" title="What happens next">
        <Rows of={profile.after_you_write} look="commitments thirds" />
      </Section>
      <Office />
    </>
  );
}
