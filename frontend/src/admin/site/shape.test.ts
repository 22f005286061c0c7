// How values of the content are made and changed.
import { describe, expect, it } from 'vitest';
import { blank, entryTitle, moved, pointer, type Shape, shapes, withValue } from './shape';

const shapeOf = (key: string) => shapes.find((one) => one.key === key) as Shape;

/** Every list of entries that have fields, at any depth. */
const lists = (of: readonly Shape[]): Shape[] =>
  of.flatMap((shape) => [
    ...(shape.type === 'list' && shape.of?.type === 'object' ? [shape] : []),
    ...lists([...(shape.fields ?? []), ...(shape.of ? [shape.of] : [])]),
  ]);

/** An entry whose texts are written. */
const filled = ({ fields = [] }: Shape) =>
  Object.fromEntries(
    fields.filter(({ type }) => !['sample', 'slug'].includes(type)).map(({ key }) => [key, 'Words']),
  );

describe('a value', () => {
  it('is changed at its place, and nowhere else', () => {
    const before = [
      { name: 'a', tags: ['x', 'y'] },
      { name: 'b', tags: [] },
    ];
    const after = withValue(before, [0, 'tags', 1], 'z');
    expect(after).toEqual([
      { name: 'a', tags: ['x', 'z'] },
      { name: 'b', tags: [] },
    ]);
    expect(before[0]?.tags).toEqual(['x', 'y']);
    expect((after as unknown[])[1]).toBe(before[1]);
    expect(pointer([0, 'tags', 1])).toBe('/0/tags/1');
  });

  it('is moved in its list', () => {
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  });
});

describe('a new entry', () => {
  it('has every field, and is no sample', () => {
    expect(blank(shapeOf('clients').of as Shape)).toEqual({
      sample: false,
      name: '',
      category: '',
      location: '',
      state: '',
      logo: null,
    });
  });

  it('has its own key', () => {
    const question = shapeOf('faqs').of as Shape;
    const keys = [blank(question), blank(question)].map((entry) => (entry as { key: string }).key);
    expect(keys[0]).toMatch(/^[a-z0-9-]+$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('is called new until it has a name', () => {
    expect(entryTitle({ name: '' }, shapeOf('clients'))).toBe('New client');
    expect(entryTitle({ name: 'Tulsa Rail' }, shapeOf('clients'))).toBe('Tulsa Rail');
    expect(entryTitle({ state: '' }, shapeOf('licenses'))).toBe('New license');
    expect(entryTitle({ state: 'TX' }, shapeOf('licenses'))).toBe('Texas');
  });

  it('is called by its words afterwards, in every list', () => {
    const unnamed = lists(shapes).filter(
      (list) => list.nameOf === undefined && entryTitle(filled(list.of as Shape), list).startsWith('New '),
    );
    expect(unnamed.map(({ one }) => one)).toEqual([]);
  });
});
