//! Decrypts pushes as a browser does (RFC 8291), from the header of the body and with HMACs, so
//! that it shares no step with the program.

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};

fn mac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let key = Key::new(HMAC_SHA256, key);
    sign(&key, &parts.concat()).as_ref().to_vec()
}

/// The message in `body`, for the browser with this private key and secret.
pub fn decrypt(body: &[u8], private: &PrivateKey, secret: &[u8]) -> Vec<u8> {
    let (salt, rest) = body.split_at(16);
    let (size, rest) = rest.split_at(4);
    let (sender, record) = rest[1..].split_at(rest[0].into());
    assert_eq!(size, 4096_u32.to_be_bytes());
    assert!(record.len() <= 4096 && sender.len() == 65);
    let own = private.compute_public_key().unwrap();
    let sender_key = UnparsedPublicKey::new(&ECDH_P256, sender);
    let shared = agree(private, sender_key, (), |shared| Ok(shared.to_vec())).unwrap();
    let key = mac(secret, &[&shared]);
    let input = mac(&key, &[b"WebPush: info\0", own.as_ref(), sender, &[1]]);
    let key = mac(salt, &[&input]);
    let content = mac(&key, &[b"Content-Encoding: aes128gcm\0", &[1]]);
    let nonce = mac(&key, &[b"Content-Encoding: nonce\0", &[1]]);
    let content = UnboundKey::new(&AES_128_GCM, &content[..16]).unwrap();
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
    let mut message = record.to_vec();
    let opened = LessSafeKey::new(content).open_in_place(nonce, Aad::empty(), &mut message);
    let (last, text) = opened.unwrap().split_last().unwrap();
    assert_eq!(*last, 2, "the mark of the last record");
    text.to_vec()
}
