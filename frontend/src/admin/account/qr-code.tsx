// The QR code of an enrollment. The server sends SVG; shown as an image it cannot run scripts.
export function QrCode({ svg }: { svg: string }) {
  return (
    <img
      className="qr"
      width="200"
      height="200"
      alt="QR code that holds the secret below"
      src={`data:image/svg+xml;utf-8,${svg.includes('%23') ? svg : encodeURIComponent(svg)}`}
    />
  );
}
