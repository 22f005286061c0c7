// Records what a page asks of the speaker and of the system's notifications.
import type { Page } from '@playwright/test';

type Alerts = { tones: number[]; notifications: string[] };

/** Call it before the page is opened; `answer` is the user's to the prompt for notifications. */
export async function record(page: Page, answer: 'granted' | 'denied') {
  await page.addInitScript((answer) => {
    const alerts: Alerts = { tones: [], notifications: [] };
    Object.assign(window, { alerts });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (at) {
      alerts.tones.push(this.frequency.value);
      start.call(this, at);
    };
    class Recorded {
      static permission = 'default';
      static async requestPermission() {
        Recorded.permission = answer;
        return answer;
      }
      constructor(title: string, { body }: NotificationOptions) {
        alerts.notifications.push(`${title}: ${body}`);
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded });
  }, answer);
}

/** Lets a page play nothing before a press, as browsers do with a page that was just opened. */
export async function blockSound(page: Page) {
  await page.addInitScript(() => {
    let pressed = false;
    addEventListener(
      'pointerdown',
      () => {
        pressed = true;
      },
      true,
    );
    const state = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state')?.get;
    const { resume } = AudioContext.prototype;
    Object.defineProperty(BaseAudioContext.prototype, 'state', {
      get() {
        return pressed ? state?.call(this) : 'suspended';
      },
    });
    AudioContext.prototype.resume = function () {
      return pressed
        ? resume.call(this).then(() => this.onstatechange?.(new Event('statechange')))
        : new Promise(() => {});
    };
  });
}

export const alertsOf = (page: Page) => page.evaluate(() => (window as unknown as { alerts: Alerts }).alerts);

/** The tones of a new request, of a customer's answer, and the six of an emergency. */
export const newRequest = [660, 880];
export const newMessage = [880, 660];
export const emergency = [988, 740, 988, 740, 988, 740];

/** How often the tone of an emergency was played. */
export async function timesRung(page: Page): Promise<number> {
  const { tones } = await alertsOf(page);
  return tones.filter((tone) => tone === 988).length / 3;
}
