// The tones of the dashboard. Browsers play none before a press on the page.

export type ToneKind = 'emergency' | 'request' | 'message' | 'offer' | 'assigned' | 'reminder';

/** Frequencies in hertz, one after the other. Only the tone of emergencies is repeated. */
const tones: Record<ToneKind, number[]> = {
  emergency: [988, 740, 988, 740, 988, 740],
  request: [660, 880],
  message: [880, 660],
  offer: [523, 659, 784],
  assigned: [660, 660, 880],
  reminder: [587, 587],
};
const toneSeconds = 0.18;

let context: AudioContext | undefined;

function audio(): AudioContext {
  context ??= new AudioContext();
  return context;
}

/** Whether tones can be heard from this tab. */
export function isAudible(): boolean {
  return context?.state === 'running';
}

/** Asks the browser to let this tab be heard, which it does after a press; calls `changed` then. */
export function allowTones(changed: () => void) {
  if (typeof AudioContext === 'undefined') return;
  const current = audio();
  current.onstatechange = changed;
  if (current.state === 'running') changed();
  else current.resume().catch(() => {});
}

export function playTone(kind: ToneKind) {
  const current = audio();
  const volume = current.createGain();
  volume.gain.value = kind === 'emergency' ? 0.3 : 0.15;
  volume.connect(current.destination);
  for (const [at, frequency] of tones[kind].entries()) {
    const tone = current.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(current.currentTime + at * toneSeconds);
    tone.stop(current.currentTime + (at + 0.9) * toneSeconds);
  }
}
