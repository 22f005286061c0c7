// The page on prices: what affects them, what is in every price, and the office's ranges, if any.
import { prices, ranges } from '../content/office';
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { Beside } from '../sections/beside';
import { CallAndQuote } from '../sections/call-and-quote';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Figure, Rows } from '../sections/rows';
import { Table } from '../sections/table';
import { Checklist } from '../ui/checklist';
import '../styles/inner.css';

export default function Prices() {
  const { heading, lead, included, extra, questions } = prices;
  const { price } = profile;
  return (
    <>
      <DarkBand picture={<Scene name="prices" />}>
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        <CallAndQuote label="Get a Free Quote" />
      </DarkBand>
      {ranges.length > 0 ? <Ranges /> : null}
      <Beside id="affects" kicker="Six questions" title={price.heading}>
        <Rows of={price.items} />
      </Beside>
      <section className="band band-mist" aria-label="In the price, and extra">
        <div className="column split">
          <div className="card">
            <h2 className="list-title">Included in every price</h2>
            <Checklist items={included} />
          </div>
          <div className="card extra">
            <h2 className="list-title">What costs extra</h2>
            <Checklist items={extra} />
          </div>
        </div>
      </section>
      <Hours />
      <Beside id="compare" kicker="Questions" title="Comparing quotes" background="mist">
        <Rows of={questions} />
        <p>
          Related: <a href="/insurance">insurance</a>, <a href="/licensing">licenses by state</a>,{' '}
          <a href="/security-services">what guards do</a>
        </p>
      </Beside>
      <NextStep
        title="A price for your site"
        text="Your city, your hours and any past incidents are enough for a written price, free, with no obligation."
        label="Get a Free Quote"
      />
    </>
  );
}

/** Posts and the hours that they have in a week. */
const posts = [
  { post: 'Around the clock, every day', hours: 168 },
  { post: 'Nights, 6 p.m. to 6 a.m.', hours: 84 },
  { post: 'Weekdays, 8 a.m. to 6 p.m.', hours: 50 },
  { post: 'Weekends, around the clock', hours: 48 },
];

const fullTime = 40;

function Hours() {
  return (
    <Beside id="hours" kicker="Before you compare" title="How many hours is one post?">
      <p>
        Multiply the hours by the hourly price in your quote. Overtime starts when an officer works more than
        40 hours in a week, so a post around the clock takes at least five people.
      </p>
      <Table
        look="hours"
        columns={['One post', 'Hours a week', 'Hours a month', 'Officers who share it']}
        rows={posts.map(({ post, hours }) => ({
          key: post,
          cells: [post, hours, Math.round((hours * 52) / 12), Math.ceil(hours / fullTime)],
        }))}
      />
    </Beside>
  );
}

/** What the office stands by. */
function Ranges() {
  return (
    <Beside id="ranges" kicker="Ranges" title="What our customers pay" background="mist">
      <Rows
        of={ranges.map(({ service, range, note }) => ({
          title: service,
          text: <Figure of={range}>{note}</Figure>,
        }))}
      />
    </Beside>
  );
}
