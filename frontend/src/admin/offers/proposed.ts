// Schedules that are only proposed: a person confirms each, or enters another, before the offer is
// sent.
import type { OfferDraft, Post } from '../../api/offer-types';
import type { Faults } from './check';

/** The draft without the mark of a post: its schedule is confirmed. */
export const confirmed = (draft: OfferDraft, nth: number): OfferDraft => ({
  ...draft,
  unconfirmed_schedules: draft.unconfirmed_schedules.filter((one) => one !== nth),
});

/**
 * The draft `next` with the marks that its posts have after `field` was changed. What a person has
 * typed is confirmed by that; a post that was added, or has begun anew with another class, is not.
 */
export function marked(draft: OfferDraft, next: OfferDraft, field: string): OfferDraft {
  const [, typed] = /^posts\.(\d+)\.schedule/.exec(field) ?? [];
  const { posts } = draft.terms;
  const isMarked = (post: Post, nth: number) => {
    if (String(nth) === typed) return false;
    const before = posts.findIndex(({ schedule }) => schedule === post.schedule);
    return before < 0 || draft.unconfirmed_schedules.includes(before);
  };
  const marks = next.terms.posts.flatMap((post, nth) => (isMarked(post, nth) ? [nth] : []));
  return { ...next, unconfirmed_schedules: marks };
}

/** The schedules that nobody has confirmed, as faults of their posts. */
export const unconfirmedFaults = ({ terms, unconfirmed_schedules: marks }: OfferDraft): Faults =>
  Object.fromEntries(
    marks
      .filter((nth) => nth < terms.posts.length)
      .map((nth) => [
        `posts.${nth}.schedule`,
        'These days and hours are only proposed. Confirm them, or enter others.',
      ]),
  );
