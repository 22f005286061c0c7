// The names of the columns, for the eye: for readers of screens each row names its facts.
export function RowHeads() {
  return (
    <div className="row-heads" aria-hidden="true">
      <span />
      <div className="row-head-link">
        <span className="row-due">Due</span>
        <span className="row-call">Waits for</span>
        <span className="row-service">Service</span>
        <span className="row-place">Place</span>
        <span className="row-start">Starts</span>
        <span className="row-who">Customer</span>
      </div>
      <span className="row-status">Status</span>
    </div>
  );
}
