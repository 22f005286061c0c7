// Rotations of usual firms: the shifts that they consist of, and found again in them.
import { expect, it } from 'vitest';
import { cycleOf, handoverDay, newRotation, ordered, type Rotation, rotationsIn, shiftsOf } from './rotation';

const of = (changes: Partial<Rotation>): Rotation => ({ ...newRotation('always'), ...changes });

it('hands over each Monday at 8:00 between two people', () => {
  const rotation = of({ people: ['ada', 'ben'] });
  expect(cycleOf([rotation])).toBe(2);
  const shifts = shiftsOf(rotation, 2);
  expect(shifts).toHaveLength(14);
  expect(shifts[0]).toEqual({ person: 'ada', week: 1, weekday: 0, from: '08:00', until: '08:00' });
  expect(shifts[7]).toEqual({ person: 'ben', week: 2, weekday: 0, from: '08:00', until: '08:00' });
});

it('begins a week on the day of its handover', () => {
  const shifts = shiftsOf(of({ people: ['ada', 'ben'], weekday: 4 }), 2);
  expect(shifts.slice(0, 4).map(({ week, weekday }) => [week, weekday])).toEqual([
    [1, 4],
    [1, 5],
    [1, 6],
    [2, 0],
  ]);
  expect(shifts.at(-1)).toMatchObject({ person: 'ben', week: 1, weekday: 3 });
});

it('has a cycle in which days and weeks both come out', () => {
  expect(cycleOf([of({ people: ['a', 'b', 'c'], length: 'day' })])).toBe(3);
  expect(cycleOf([of({ people: ['a', 'b', 'c'] }), of({ people: ['a', 'b'] })])).toBe(6);
});

it('takes midnight to midnight for a day', () => {
  const [shift] = shiftsOf(of({ people: ['ada'], at: '00:00' }), 1);
  expect(shift).toMatchObject({ week: 0, from: '00:00', until: '24:00' });
  const week = Array.from({ length: 7 }, (_, weekday) => ({
    person: 'ada',
    week: 0,
    weekday,
    from: '00:00',
    until: '00:00',
  }));
  expect(rotationsIn(week, 1)).toEqual({ rotations: [of({ people: ['ada'], at: '00:00' })], singles: [] });
});

it.each<[string, Rotation[]]>([
  ['two people by week', [of({ people: ['ada', 'ben'] })]],
  ['three people, Friday evening', [of({ people: ['ada', 'ben', 'cy'], weekday: 4, at: '17:00' })]],
  ['four people by day', [of({ people: ['ada', 'ben', 'cy', 'di'], length: 'day', at: '07:00' })]],
  [
    'one for the nights, two for the rest',
    [
      { ...newRotation('nights'), people: ['cy'], at: '20:00', until: '06:00' },
      of({ people: ['ada', 'ben'] }),
    ],
  ],
  [
    'the owner on weekdays, three people on weekends',
    [{ ...newRotation('weekends'), people: ['ben', 'cy', 'di'] }, of({ people: ['ada'] })],
  ],
  ['the same person twice in three weeks', [of({ people: ['ada', 'ben', 'ada'] })]],
])('finds %s again', (_, rotations) => {
  const weeks = cycleOf(rotations);
  const shifts = rotations.flatMap((rotation) => shiftsOf(rotation, weeks));
  expect(rotationsIn(shifts, weeks)).toEqual({ rotations, singles: [] });
});

it('leaves single shifts as they are', () => {
  const single = { person: 'ada', week: 2, weekday: 3, from: '09:00', until: '17:00' };
  const rotation = of({ people: ['ben', 'cy'] });
  const shifts = [single, ...shiftsOf(rotation, 2)];
  expect(rotationsIn(shifts, 2)).toEqual({ rotations: [rotation], singles: [single] });
});

it('leaves shifts single whose order would change who is on call', () => {
  const backup = { person: 'ada', week: 0, weekday: 3, from: '09:00', until: '17:00' };
  const shifts = [...shiftsOf(of({ people: ['ben', 'cy'] }), 2), backup];
  expect(rotationsIn(shifts, 2)).toEqual({ rotations: [], singles: shifts });
});

it('counts the first week from its handover', () => {
  const daily = of({ people: ['ada', 'ben'], length: 'day', weekday: 3 });
  expect(handoverDay([daily, of({ people: ['ada', 'ben'], weekday: 4 })])).toBe(4);
  expect(handoverDay([daily])).toBe(0);
});

it('lets nights and weekends come before around the clock', () => {
  const [always, nights] = [of({ people: ['ada'] }), { ...newRotation('nights'), people: ['ben'] }];
  expect(ordered([always, nights])).toEqual([nights, always]);
});
