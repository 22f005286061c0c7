// A push service for tests: it takes what the server sends to a device, and reads it with the
// device's keys as a browser does (RFC 8291).
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Received = { headers: IncomingHttpHeaders; text: Record<string, string> };

export class PushService {
  private readonly device = createECDH('prime256v1');
  private readonly auth = randomBytes(16);
  private readonly received: Received[] = [];
  private server: Server | undefined;
  /** The status of its answers. */
  status = 201;

  /** What a browser gets when it subscribes. */
  subscription = { endpoint: '', keys: { p256dh: '', auth: '' } };

  async start(): Promise<void> {
    this.device.generateKeys();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        this.received.push({ headers: request.headers, text: this.read(Buffer.concat(chunks)) });
        response.writeHead(this.status).end();
      });
    });
    this.server = server;
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    this.subscription = {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/device`,
      keys: {
        p256dh: this.device.getPublicKey().toString('base64url'),
        auth: this.auth.toString('base64url'),
      },
    };
  }

  stop(): void {
    this.server?.close();
  }

  /** What has come since the last call. */
  take(): Received[] {
    return this.received.splice(0);
  }

  private read(body: Buffer): Record<string, string> {
    const salt = body.subarray(0, 16);
    const length = body.readUInt8(20);
    const theirs = body.subarray(21, 21 + length);
    const sealed = body.subarray(21 + length);
    const derive = (key: Buffer, with_: Buffer, info: Buffer, bytes: number) =>
      Buffer.from(hkdfSync('sha256', key, with_, info, bytes));
    const names = Buffer.concat([Buffer.from('WebPush: info\0'), this.device.getPublicKey(), theirs]);
    const secret = derive(this.device.computeSecret(theirs), this.auth, names, 32);
    const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const open = createDecipheriv('aes-128-gcm', key, nonce);
    open.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
  }
}
