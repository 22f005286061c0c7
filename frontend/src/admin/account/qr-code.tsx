// The QR code of an enrollment. Our server draws it as SVG; as an image it can hold nothing that acts.
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
